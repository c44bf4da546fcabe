"""Small judges on the encoder's vectors: what a message is, whether it is worth remembering, and how two agree."""

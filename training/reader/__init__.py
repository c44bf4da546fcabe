"""Training the reader: labelled messages in, a tagger and a verifier out."""

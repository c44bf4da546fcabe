"""The trained reader: what people say that is worth keeping, read by three small networks."""

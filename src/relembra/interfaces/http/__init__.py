"""The HTTP door: requests in, verbs of `Memory` called, JSON out. It decides nothing about memory."""

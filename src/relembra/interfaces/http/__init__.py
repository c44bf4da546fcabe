"""The HTTP interface: requests in, verbs of `Memory` called, JSON out. It decides nothing about memory."""

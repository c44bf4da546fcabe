"""The memory page: what the assistant knows, for the person it knows it of, in a browser."""

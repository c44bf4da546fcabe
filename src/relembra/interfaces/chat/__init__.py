"""Chat apps: people talk where they always do, and what they say is remembered there."""

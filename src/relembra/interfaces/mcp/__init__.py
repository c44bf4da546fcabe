"""The interface for assistants that speak the Model Context Protocol: tools and resources over one memory."""

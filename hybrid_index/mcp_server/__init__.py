"""The MCP server: one thin function for each tool, over the same service as the command line."""

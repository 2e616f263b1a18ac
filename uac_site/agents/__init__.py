"""The memory for agents: an MCP server, whose tools are the API's own resources."""

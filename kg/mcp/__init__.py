"""A server for the Model Context Protocol, with tools to query a corpus and propose changes.

Only the module `tool_server` uses the protocol's library.
"""

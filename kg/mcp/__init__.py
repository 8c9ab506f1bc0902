"""A server for the Model Context Protocol, with tools to query a corpus and propose changes.

Only the modules `tool_server` and `message_streams` use the protocol's library.
"""

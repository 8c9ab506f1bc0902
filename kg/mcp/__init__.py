"""The corpus for programs that ask and propose: tools of the Model Context Protocol.

One module, `tool_server`, names the library that speaks it.
"""

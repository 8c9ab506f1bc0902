"""The notes in an editor, while they are written: the language server `kg lsp`.

`workspace` holds the notes as the editor shows them, the modules beside it answer one request each
in words of our own, and `protocol` alone names the library that speaks the protocol.
"""

"""The language server `kg lsp`, for notes in an editor.

`workspace` holds the notes as the editor shows them, the other modules each answer one kind of
request in our own types, and only `protocol` and `messages` use the protocol's library.
"""

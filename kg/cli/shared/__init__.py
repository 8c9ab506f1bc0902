"""Parts that several commands use: options, output, selections."""

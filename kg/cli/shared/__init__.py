"""What several commands use: options, output, selections."""

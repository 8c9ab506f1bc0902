"""Writers for the export formats, one module for each kind."""

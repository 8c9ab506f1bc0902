"""Rules by subject; `kg.checks.RULES` lists them all."""

"""Rules, by what they are about: `kg.checks.RULES` lists them in the order of a report."""

"""The corpus at other times: revisions, differences, changed verdicts."""

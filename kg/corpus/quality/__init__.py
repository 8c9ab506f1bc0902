"""Quality of evidence: graded by what a note records, with p worked out where it is missing."""

"""Reasons: what each reason and each camp adds to an answer, in nats (log-odds)."""

"""Answers: the records found, the edges behind them, and output as table, frame and text."""

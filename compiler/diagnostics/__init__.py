"""Findings: their codes, their form, how they are shown, explained and silenced."""

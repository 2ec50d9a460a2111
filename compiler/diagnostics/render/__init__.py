"""Findings as text for people, as JSON for programs, as annotations for a host of repositories: one form a module."""

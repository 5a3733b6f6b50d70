"""Screens of the full-screen client, one in each file."""

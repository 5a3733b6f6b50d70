"""Finished games on the full screen."""

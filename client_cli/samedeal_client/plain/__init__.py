"""The line client: plays in any terminal, and through pipes."""

"""The full-screen client. Imported only where it is played: it brings Textual with it."""

"""Several processes behind one port: a parent that keeps them, and what each of them does."""

"""One node: sessions, rooms, tables and journals around the pure domain."""

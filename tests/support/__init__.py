"""What tests of the server share: a scripted client, games to play, nodes and processes."""

"""Real processes, real faults, and a checker that knows only what clients and journals say."""

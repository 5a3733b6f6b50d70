"""Tests of `samedeal_rules`, one module for each of its modules, and their helpers."""

"""The command line: one thin function for each operation of `HybridIndex`."""

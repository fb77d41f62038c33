"""The parts of the floor by themselves."""

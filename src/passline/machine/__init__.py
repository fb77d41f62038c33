"""A house and a strategy as one finite machine: built by running the engine, rolled by anything."""

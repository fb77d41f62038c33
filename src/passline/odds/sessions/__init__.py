"""A session of many rolls: its whole law, and what it comes to in the long run."""

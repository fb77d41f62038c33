"""The verifier of exported journals: what is true holds, and nothing else does."""

"""Tests of exact answers, and the houses with other prices that they share."""

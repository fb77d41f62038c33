"""Tests of the house files and of the reader that turns them into books."""

"""Builders, Hypothesis strategies and laws, shipped so that others can check their own houses and parts."""

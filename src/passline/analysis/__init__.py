"""The way in for analysts: a question, its exact answer, its sample, and both on paper."""

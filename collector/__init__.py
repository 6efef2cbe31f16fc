"""The collector: answers in, verified results out, in input order."""

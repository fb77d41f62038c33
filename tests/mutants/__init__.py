"""Whatever people may hand in, changed at random: read to the end or refused in our own words, never anything else.

Each module makes one mutant from a `Random` and raises where it does not hold. A short run of each is in the tests,
`scripts/campaign fuzz-houses` and its like run for as long as one wants and print how to see a failure again.
"""

"""Measuring a memory: data sets and scripts go in through the public verbs, figures come out.

Nothing here is needed to remember; nobody but the command line imports it.
"""

"""Small modules for agent frameworks, one each; import the one for yours, which needs its package."""

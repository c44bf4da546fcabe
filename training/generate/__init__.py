"""Bilingual text made from our own templates: statements, questions and chat turns of everyday life."""

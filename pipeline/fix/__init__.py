"""Findings' fixes made in a spec's text. Stages say what to change, as data; only this package changes text."""

"""Hybrid Index."""

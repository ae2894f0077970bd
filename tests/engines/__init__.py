"""Tests of `engines`."""

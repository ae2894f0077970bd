"""Tests of the large pictures of men, and of their colours."""

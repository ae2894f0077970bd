"""The horizon effect: examples, the finder, and stories told with real searches."""

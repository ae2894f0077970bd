"""The horizon effect: curated examples, a finder of others, and explanations ("stories") made from real searches."""

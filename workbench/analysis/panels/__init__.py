"""What the panels of the Analyse screen say, as text: pure functions of the frozen view that the desk hands out."""

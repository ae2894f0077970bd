"""What a person names, pastes or opens, and what it is."""

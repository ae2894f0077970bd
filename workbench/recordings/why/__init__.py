"""Why a node ended as it did, in words."""

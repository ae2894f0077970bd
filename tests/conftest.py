from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

os.environ.setdefault("TEXTUAL_FPS", "10")  # nobody watches: six times fewer pictures between two steps of a story

settings.register_profile(
    "same-every-time",
    derandomize=True,
    deadline=None,  # the first example may compile a kernel
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
settings.load_profile("same-every-time")

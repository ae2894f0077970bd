from __future__ import annotations

import gc
import os
import signal

from hypothesis import HealthCheck, settings

os.environ.setdefault("TEXTUAL_FPS", "10")  # nobody watches: six times fewer pictures between two steps of a story

gc.set_threshold(50_000, 20, 100)  # a screen makes many objects: a fifth of the time went into looking for cycles

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # behind `&` in a script: programs started here would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile(
    "same-every-time",
    derandomize=True,
    max_examples=100 if os.environ.get("PLYBENCH_LONG") else 50,
    deadline=None,  # the first example may compile a kernel
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
settings.load_profile("same-every-time")

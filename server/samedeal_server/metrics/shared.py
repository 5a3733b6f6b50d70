"""Figures of one worker in files that any worker can read: the form is the library's own."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from prometheus_client.core import Metric
from prometheus_client.mmap_dict import MmapedDict, mmap_key

__all__ = ["SHARED_DIR", "SharedFigures"]

SHARED_DIR: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable by which the parent of several workers names the directory."""

_MODES: Final = {
    "process_start_time_seconds": "livemax",
    "samedeal_pressure": "livemax",
}
"""Of gauges that make no sense as a sum."""


class SharedFigures:
    """What the library's `MultiProcessCollector` adds up.

    The library's own counters would write to the file each time something is counted, for some
    microseconds; here all of it is written now and then.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._files: dict[str, MmapedDict] = {}

    def write(self, metrics: Iterable[Metric]) -> None:
        """Write all figures as they are now. Raises OSError."""
        for metric in metrics:
            kind = metric.type
            if kind == "gauge":
                kind = f"gauge_{_MODES.get(metric.name, 'livesum')}"
            file = self._file(kind)
            before = 0.0
            for sample in metric.samples:
                value = sample.value
                if sample.name.endswith("_count") and kind == "histogram":
                    continue  # the reader makes it of the buckets
                if sample.name.endswith("_bucket"):
                    value, before = value - before, value
                names, values = list(sample.labels), list(sample.labels.values())
                key = mmap_key(metric.name, sample.name, names, values, metric.documentation)
                file.write_value(key, value, 0.0)  # type: ignore[no-untyped-call]

    def _file(self, kind: str) -> MmapedDict:
        if kind not in self._files:
            path = self._directory / f"{kind}_{os.getpid()}.db"
            self._files[kind] = MmapedDict(str(path))  # type: ignore[no-untyped-call]
        return self._files[kind]

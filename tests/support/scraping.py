"""What a Prometheus would read from a server."""

from __future__ import annotations

import asyncio
import re

from prometheus_client.parser import text_string_to_metric_families

__all__ = ["get", "scrape"]


async def get(port: int, path: str) -> tuple[int, str]:
    """A plain GET: status and body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    found = re.match(rb"HTTP/1\.1 (\d+)", head)
    assert found is not None
    return int(found[1]), body.decode()


async def scrape(port: int) -> dict[str, float]:
    """All figures, by name and labels as they are written: `samedeal_duels{phase="open"}`."""
    status, body = await get(port, "/metrics")
    assert status == 200
    figures = {}
    for family in text_string_to_metric_families(body):
        for sample in family.samples:
            labels = ",".join(f'{name}="{value}"' for name, value in sample.labels.items())
            figures[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return figures

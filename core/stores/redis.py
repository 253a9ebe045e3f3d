"""The only module that knows Redis or Valkey: one client, and every key name that the product uses."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any
from uuid import UUID

from django.conf import settings
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError, RedisError, TimeoutError, WatchError
from redis.retry import Retry

from core.errors import UnavailableError

log = logging.getLogger(__name__)

ANSWER_SECONDS = 0.5
SILENCE_SECONDS = 5.0
SCANNED_AT_ONCE = 1_000
MAX_ATTEMPTS = 20

# What SCAN's MATCH would take for a pattern.
_GLOB = re.compile(r"[\\*?\[\]^]")


class RedisUnavailableError(UnavailableError):
    """Redis does not answer; what it holds expires anyway, and everything else works without it."""

    code = "redis_unavailable"
    title = "The working set cannot be reached just now. Nothing was changed; try again."


def nudge_key(task: str, workspace_id: UUID) -> str:
    return f"oxa:nudge:{workspace_id}:{task}"


def import_key(workspace_id: UUID, import_id: UUID) -> str:
    """Return how many records an import has taken so far."""
    return f"oxa:import:{workspace_id}:{import_id}"


def rate_key(caller_id: str) -> str:
    """Return the counter of a caller's calls; the number of the minute follows."""
    return f"oxa:rate:{caller_id}"


def working_prefix(workspace_id: UUID, conversation_id: UUID) -> str:
    """Return how the keys of a conversation's working set begin; the slot's name follows."""
    return f"oxa:ws:{workspace_id}:{conversation_id}:"


def slot_info_key(workspace_id: UUID, conversation_id: UUID) -> str:
    """Return the hash of what is known of a working set's slots, by their names: limits and versions, no content."""
    return f"oxa:wsinfo:{workspace_id}:{conversation_id}"


def _info_address(key: str) -> tuple[str, str]:
    """Return the hash and the field for the key of a slot, which begins as `working_prefix` says."""
    _, _, workspace_id, conversation_id, slot = key.split(":", 4)
    return f"oxa:wsinfo:{workspace_id}:{conversation_id}", slot


def size_index_key(workspace_id: UUID) -> str:
    """Return the sizes of a workspace's slots, by their keys."""
    return f"oxa:sizes:{workspace_id}"


def space_index_key(workspace_id: UUID, space_id: UUID) -> str:
    """Return the keys of the slots of a space, to find them when it is erased."""
    return f"oxa:spaceslots:{workspace_id}:{space_id}"


def events_key(workspace_id: UUID) -> str:
    """Return the ring of a workspace's live events."""
    return f"oxa:events:{workspace_id}"


class Client(Redis):
    """Redis' own client, and until when it is left alone because the server kept silent."""

    silent_until: float = 0.0


def client() -> Client:
    """Return the process's client; it connects when first used and reconnects by itself."""
    return get_client(settings.REDIS_URL)


@cache
def get_client(url: str) -> Client:
    """Return the process's client of that server."""
    made: Client = Client.from_url(  # type: ignore[assignment]  # redis says Redis of every child's
        url,
        socket_connect_timeout=ANSWER_SECONDS,
        socket_timeout=ANSWER_SECONDS,
        # A lost connection is worth another try; a server that keeps silent would only be waited for twice.
        retry=Retry(NoBackoff(), 1, supported_errors=(ConnectionError,)),
        decode_responses=True,
    )
    return made


@contextmanager
def _server() -> Iterator[Redis]:
    """Yield the server, for one use. Raises RedisUnavailableError.

    One that did not answer in time is left alone for a moment: a chat turn that asks it several times waits once.
    """
    try:
        if client().silent_until > time.monotonic():
            raise RedisUnavailableError()
        yield client()
    except TimeoutError as error:
        client().silent_until = time.monotonic() + SILENCE_SECONDS
        raise RedisUnavailableError() from error
    except (RedisError, ValueError) as error:  # ValueError: an address that is none
        raise RedisUnavailableError() from error


def put_if_absent(key: str, *, seconds: int) -> bool:
    """Put a mark and return whether it was absent; without Redis, True: more work, never less.

    A mark saves work and is not a lock: for that there are locks and leases (`docs/why/exclusion.md`).
    """
    try:
        with _server() as server:
            return bool(server.set(key, "1", nx=True, ex=seconds))
    except RedisUnavailableError:
        return True


def discard(key: str) -> None:
    """Delete a value that may be absent; without Redis there is none."""
    try:
        with _server() as server:
            server.delete(key)
    except RedisUnavailableError:
        log.debug("redis_unavailable while discarding a value")


def increment_counter(key: str, *, seconds: int) -> int:
    """Add one to a counter that disappears this many seconds after its last count; return it.

    Raises RedisUnavailableError.
    """
    with _server() as server, server.pipeline(transaction=False) as pipe:
        pipe.incr(key)
        pipe.expire(key, seconds)
        return int(pipe.execute()[0])


def put(key: str, value: str, *, seconds: int) -> None:
    """Store a value that expires. Raises RedisUnavailableError."""
    with _server() as server:
        server.set(key, value, ex=seconds)


def peek(key: str) -> str | None:
    """Return a value, without keeping it any longer; None for an absent one. Raises RedisUnavailableError."""
    with _server() as server:
        value = server.get(key)
    return None if value is None else str(value)


def read_slot(key: str) -> tuple[str | None, str | None]:
    """Return a slot's value and what is known of it, without keeping it any longer. Raises RedisUnavailableError."""
    with _server() as server, server.pipeline() as pipe:
        pipe.get(key)
        pipe.hget(*_info_address(key))
        value, info = pipe.execute()
    return None if value is None else str(value), None if info is None else str(info)


def put_slot(key: str, value: str, info: str | None, *, seconds: int) -> None:
    """Store a slot's value and what is known of it, to expire after `seconds`. Raises RedisUnavailableError."""
    with _server() as server, server.pipeline() as pipe:
        _set_slot(pipe, key, value, info, seconds)
        pipe.execute()


def replace_slot(key: str, made_from: Callable[[str | None, str | None], tuple[str, str, int]]) -> None:
    """Put what is made from a slot's value and info in their place, to expire after `seconds`; once more when another
    process did so meanwhile.

    Raises RedisUnavailableError, and whatever `made_from` raises; then nothing changes.
    """
    with _server() as server, server.pipeline() as pipe:
        for _ in range(MAX_ATTEMPTS):
            # Both change together, so that watching the value is enough; its hash is that of other slots as well.
            pipe.watch(key)  # type: ignore[no-untyped-call]  # redis ships it without types
            known, info = pipe.get(key), pipe.hget(*_info_address(key))
            value, about, seconds = made_from(
                None if known is None else str(known), None if info is None else str(info)
            )
            pipe.multi()
            _set_slot(pipe, key, value, about, seconds)
            with suppress(WatchError):
                pipe.execute()
                return
    raise RedisUnavailableError("Too many write to this at once; try again.")


def delete_slot(key: str) -> bool:
    """Delete a slot; return whether there was one. Raises RedisUnavailableError."""
    with _server() as server, server.pipeline() as pipe:
        pipe.delete(key)
        pipe.hdel(*_info_address(key))
        return bool(pipe.execute()[0])


def _set_slot(pipe: Redis, key: str, value: str, info: str | None, seconds: int) -> None:
    name, field = _info_address(key)
    pipe.set(key, value, ex=seconds)
    if info is None:
        pipe.hdel(name, field)
    else:
        pipe.hset(name, field, info)
        _keep(pipe, name, seconds)


def sum_sizes(index: str, *, without: str, exact: bool = False) -> tuple[int, int]:
    """Return the number and the bytes of the keys in an index of sizes, one of them left out.

    Keys that have expired count until an `exact` look drops them. Raises RedisUnavailableError.
    """
    with _server() as server:
        sizes = {str(key): int(size) for key, size in server.hgetall(index).items()}
        if exact and sizes:
            gone = sizes.keys() - _existing(server, list(sizes))
            if gone:
                server.hdel(index, *gone)
            sizes = {key: size for key, size in sizes.items() if key not in gone}
    sizes.pop(without, None)
    return len(sizes), sum(sizes.values())


def _existing(server: Redis, keys: Sequence[str]) -> set[str]:
    """Return those of the keys that have a value, asked for in one exchange."""
    with server.pipeline(transaction=False) as pipe:
        for key in keys:
            pipe.exists(key)
        return {key for key, is_there in zip(keys, pipe.execute(), strict=True) if is_there}


def note_size(indexes: Sequence[str], key: str, *, size: int, seconds: int) -> None:
    """Note the size of a key in indexes, which stay at least as long as the key. Raises RedisUnavailableError."""
    with _server() as server, server.pipeline() as pipe:
        for index in indexes:
            pipe.hset(index, key, str(size))
            _keep(pipe, index, seconds)
        pipe.execute()


def count_indexed(index: str) -> int:
    """Return the number of keys of an index that have a value. Raises RedisUnavailableError."""
    with _server() as server:
        return len(_existing(server, [str(key) for key in server.hkeys(index)]))


def delete_indexed(index: str, *, others: Sequence[str] = ()) -> int:
    """Delete the slots of an index, the index, and what other indexes say of them; return the number of slots.

    Raises RedisUnavailableError.
    """
    with _server() as server:
        keys = [str(key) for key in server.hkeys(index)]
        with server.pipeline(transaction=False) as pipe:
            for key in keys:
                pipe.delete(key)
            deleted = sum(map(int, pipe.execute()))
            for key in keys:
                pipe.hdel(*_info_address(key))
            pipe.execute()
        for other in others if keys else ():
            server.hdel(other, *keys)
        server.delete(index)
    return deleted


def prolong_slot(key: str, *, seconds: int, indexes: Sequence[str] = ()) -> None:
    """Keep a slot and its indexes for this time from now on; one that has expired does not come back."""
    try:
        with _server() as server, server.pipeline(transaction=False) as pipe:
            pipe.expire(key, seconds)
            for index in (_info_address(key)[0], *indexes):
                _keep(pipe, index, seconds)
            pipe.execute()
    except RedisUnavailableError:
        log.debug("redis_unavailable while prolonging a value")


def _keep(pipe: Redis, index: str, seconds: int) -> None:
    # NX sets a first time, which GT takes for endless; GT only ever puts it off.
    pipe.expire(index, seconds, nx=True)
    pipe.expire(index, seconds, gt=True)


def delete_all(prefix: str, *, others: Sequence[str] = ()) -> int:
    """Delete every key that begins like this, in one pass, and some others; return the number of the former.

    Raises RedisUnavailableError.
    """
    pattern = _GLOB.sub(r"\\\g<0>", prefix) + "*"
    with _server() as server:
        if others:
            server.delete(*others)
        return sum(server.delete(key) for key in server.scan_iter(match=pattern, count=SCANNED_AT_ONCE))


def count_workspace_keys(workspace_id: UUID) -> int:
    """Return the number of keys that name a workspace, of whatever kind they are. Raises RedisUnavailableError."""
    with _server() as server:
        return sum(1 for _ in server.scan_iter(match=_naming(workspace_id), count=SCANNED_AT_ONCE))


def delete_workspace_keys(workspace_id: UUID) -> int:
    """Delete every key that names a workspace, in one pass; return their number. Raises RedisUnavailableError."""
    with _server() as server:
        found = server.scan_iter(match=_naming(workspace_id), count=SCANNED_AT_ONCE)
        return sum(int(server.delete(key)) for key in found)


def _naming(workspace_id: UUID) -> str:
    """Return the pattern of the keys above, and of kinds that are still to come: all of them name their workspace."""
    return f"oxa:*{workspace_id}*"


def append_events(events: Iterable[tuple[UUID, str]], *, most: int, seconds: int) -> None:
    """Append texts to the rings of their workspaces in one exchange. A ring holds about the last `most`, and expires
    `seconds` after its last one.

    Raises RedisUnavailableError.
    """
    with _server() as server, server.pipeline(transaction=False) as pipe:
        keys = set()
        for workspace_id, text in events:
            keys.add(key := events_key(workspace_id))
            pipe.xadd(key, {"e": text}, maxlen=most, approximate=True)
        for key in keys:
            pipe.expire(key, seconds)
        pipe.execute()


def read_events(after: Mapping[UUID, str], *, most: int) -> dict[UUID, list[tuple[str, str]]]:
    """Return up to `most` ids and texts of each ring behind an id, oldest first. Raises RedisUnavailableError."""
    with _server() as server, server.pipeline(transaction=False) as pipe:
        for workspace_id, last in after.items():
            pipe.xrange(events_key(workspace_id), min=f"({last}", count=most)
        return {key: _entries(found) for key, found in zip(after, pipe.execute(), strict=True)}


def read_events_back(workspace_id: UUID, *, before: str, most: int) -> list[tuple[str, str]]:
    """Return up to `most` ids and texts of a ring, newest first, older than an id unless it is ''.

    Raises RedisUnavailableError.
    """
    with _server() as server:
        key = events_key(workspace_id)
        return _entries(server.xrevrange(key, max=f"({before}" if before else "+", count=most))


def _entries(found: Any) -> list[tuple[str, str]]:
    return [(str(identity), str(fields.get("e", ""))) for identity, fields in found]


def answers() -> bool:
    """Return whether the server is there, asked in any case."""
    try:
        return bool(client().ping())
    except (RedisError, ValueError):
        return False

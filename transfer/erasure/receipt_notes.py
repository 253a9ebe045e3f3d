"""What a receipt says in words: how it was checked that nothing is left, what stays, what is out of reach."""

from __future__ import annotations

from collections.abc import Mapping

HOW_CHECKED: Mapping[str, str] = {
    "tables": "Counted the rows of the workspace in every table of the database that has a workspace column, and in "
    "the list of workspaces. Every such row refers to the workspace's own row, which is deleted, so none can be added.",
    "graph": "Counted the nodes of the workspace in the whole graph, under any label; an edge goes with its nodes.",
    "redis": "Scanned all keys for those that name the workspace.",
    "queue": "Counted the tasks of the workspace that wait or run.",
}
STAYS = (
    "This receipt: the id of the workspace, who asked and when, and numbers. Its audit record is deleted with it.",
    "The accounts of people, who belong to the installation. Their memberships, keys and connected apps are deleted.",
    "Sign-in sessions of staff who entered the workspace keep its name until they end.",
)
KEY_STAYS = "A SHA-256 of the API key that asked, with which this receipt is read. The key opens nothing else."
OUT_OF_REACH = (
    "Backups, replicas and copies of the database, the graph and Redis that were made before.",
    "Exports that were downloaded.",
    "What model providers and other services keep of the calls that were made to them.",
    "Log files of this server. They hold ids and no content.",
    "Space on disk that the databases have freed and not yet written over, and PostgreSQL's write-ahead log.",
    "Caches in the memory of running processes, until what is newer takes their place or the processes end.",
)
HOW_SPACES_ARE_CHECKED: Mapping[str, str] = {
    "tables": "Looked for rows of the space, and for rows that hang on them, in every table that is divided into "
    "spaces, in the transaction that finished the erasure.",
}
SPACE_STAYS = (
    "The name of the space: in the list of spaces, in keys and grants that name it, and in the audit record.",
    "Copies that other spaces accepted, and what others wrote about the user in spaces of their own.",
    "Slots of other spaces that have a dimension such as `user_id` in their scope: it divides slots inside a space.",
    "Nodes in the graph, until the relay has removed them: each was entered into its outbox when its row was deleted.",
)


def list_notes(*, has_key: bool) -> dict[str, list[str]]:
    """Return what stays, and what is out of reach."""
    return {"stays": [*STAYS, *([KEY_STAYS] if has_key else [])], "out_of_reach": list(OUT_OF_REACH)}

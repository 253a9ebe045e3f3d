"""Keeping the word index: a sheet with each message, and blocks of them in the background."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.db.models import Count, F

from conversations.indexing.document import SHEETS, index_message
from conversations.indexing.segments import pack_buckets
from conversations.models import Message, MessageRole, MessageWords, WordBlock, WordBucket
from core.db.locks import wait_for_lock
from core.space_ids import SHARED
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.space_callers import caller_in_space, spaces_of_rows
from workspaces.models import Space, SpaceKind

INDEX_TASK = "conversations.indexing.tasks.index_workspace"

# So many messages make a block; those that are left are read sheet by sheet.
BLOCK_SIZE = 2_048
SHEETS_AT_ONCE = 500
TASK = "indexing"
BLOCK_LOCK = "word block"


def index_messages(messages: Sequence[Message]) -> None:
    """Write the sheets of new messages, in the scope that stores them."""
    MessageWords.objects.bulk_create(_sheets(messages))


def index_pending(*, workspace_id: UUID) -> int:
    """Write the sheets that are missing, drop the blocks that a message has gone from, and make as many blocks of
    waiting sheets as are full; return the number of blocks that were made."""
    while _write_missing(workspace_id):
        pass
    _drop_torn_blocks(workspace_id)
    made = 0
    waiting = MessageWords.objects.filter(block=None, version=SHEETS)
    for space_id in spaces_of_rows(workspace_id, TASK, rows=waiting, at_least=BLOCK_SIZE):
        while _make_block(caller_in_space(workspace_id, TASK, space_id=space_id)):
            made += 1
    return made


def rebuild_index(*, workspace_id: UUID) -> int:
    """Throw the word index of a workspace away and make it again from its messages; return their number."""
    with workspace_scope(maintenance_caller(workspace_id, TASK)):
        WordBlock.objects.filter(workspace_id=workspace_id).delete()
        MessageWords.objects.filter(workspace_id=workspace_id).delete()
    index_pending(workspace_id=workspace_id)
    with workspace_scope(maintenance_caller(workspace_id, TASK)):
        return MessageWords.objects.filter(workspace_id=workspace_id).count()


def _sheets(messages: Sequence[Message]) -> list[MessageWords]:
    """Return the sheets of messages; a user's that states no name has that of the user in whose space it is. For an
    open scope."""
    nameless = {message for message in messages if message.role == MessageRole.USER and not message.name}
    spaces = {message.space_id for message in nameless} - {SHARED}
    users: Mapping[UUID, str] = {}
    if spaces:
        found = Space.objects.filter(workspace_id=messages[0].workspace_id, kind=SpaceKind.USER, id__in=spaces)
        users = {space.id: space.parsed_name.user_name for space in found}
    return [
        _sheet(message, name=users.get(message.space_id, "") if message in nameless else message.name)
        for message in messages
    ]


def _sheet(message: Message, *, name: str) -> MessageWords:
    sheet = index_message(
        content=message.content,
        name=name,
        session=message.session,
        conversation=message.conversation_id,
        said_at=message.created_at,
        is_from_user=message.role == MessageRole.USER,
    )
    return MessageWords(
        workspace_id=message.workspace_id,
        space_id=message.space_id,
        message_id=message.id,
        conversation_id=message.conversation_id,
        version=SHEETS,
        said_at=message.created_at,
        traits=sheet.traits,
        postings=sheet.postings,
    )


def _write_missing(workspace_id: UUID) -> bool:
    """Some sheets that are missing, or were made in another way; return whether there were any."""
    with workspace_scope(maintenance_caller(workspace_id, TASK)):
        due = Message.objects.filter(workspace_id=workspace_id).exclude(sheet__version=SHEETS).order_by("id")
        # Locked, so that no other transaction deletes one in between. Those that one deletes now are passed over: to
        # wait for it with others held could end in a deadlock.
        messages = list(due.select_for_update(of=("self",), skip_locked=True)[:SHEETS_AT_ONCE])
        MessageWords.objects.bulk_create(
            _sheets(messages),
            update_conflicts=True,
            unique_fields=["workspace", "message"],
            update_fields=["version", "said_at", "traits", "postings", "block"],
        )
    return bool(messages)


def _drop_torn_blocks(workspace_id: UUID) -> None:
    with workspace_scope(maintenance_caller(workspace_id, TASK)):
        blocks = WordBlock.objects.filter(workspace_id=workspace_id)
        torn = blocks.annotate(left=Count("sheets")).exclude(left=F("size"), version=SHEETS)
        WordBlock.objects.filter(id__in=list(torn.values_list("id", flat=True))).delete()


def _make_block(caller: Caller) -> bool:
    """Make a block of the first waiting sheets of a space, by conversation and time; return False for too few."""
    workspace_id = caller.workspace_id
    with workspace_scope(caller):
        waiting = MessageWords.objects.of(caller).filter(block=None, version=SHEETS)
        wait_for_lock(BLOCK_LOCK, workspace_id)  # or two tasks would each take the same sheets
        # Sheets that are being deleted are passed over: to wait for them could end in a deadlock.
        taken = list(
            waiting.order_by("conversation", "said_at", "message").select_for_update(skip_locked=True)[:BLOCK_SIZE]
        )
        if len(taken) < BLOCK_SIZE:
            return False
        traits, postings = _join_bytes(sheet.traits for sheet in taken), _join_bytes(sheet.postings for sheet in taken)
        block = WordBlock.objects.create(
            workspace_id=workspace_id,
            version=SHEETS,
            size=len(taken),
            ids=_join_bytes(sheet.message_id.bytes for sheet in taken),
            traits=traits,
        )
        WordBucket.objects.bulk_create(
            WordBucket(workspace_id=workspace_id, block=block, bucket=number, postings=packed)
            for number, packed in pack_buckets(traits=traits, postings=postings)
        )
        MessageWords.objects.filter(message__in=[sheet.message_id for sheet in taken]).update(block=block)
    return True


def _join_bytes(parts: Iterable[bytes | memoryview]) -> bytes:
    return b"".join(parts)

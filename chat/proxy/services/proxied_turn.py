"""One turn of a program that speaks OpenAI's API: material in, the provider's answer through, both sides kept."""

from __future__ import annotations

import secrets
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.db import Error as DatabaseTrouble

from chat.proxy.prompt_messages import find_question, put_material
from chat.services.prompts import introduce_material
from chat.services.turns import MAX_CHARACTERS as MAX_QUERY_CHARACTERS
from chat.services.turns import end_run, keep_answer, store_question
from conversations.messages.conversation_keys import check_key
from conversations.messages.services.message_log import MAX_CHARACTERS as MAX_KEPT_CHARACTERS
from conversations.models import Message
from core.clock import utc_now
from core.db.connections import release_connection
from core.errors import FieldProblem, InvalidError, ProductError, UnavailableError
from core.text import is_invisible
from llm.call_kinds import CallKind
from llm.configuration.model_selection import ModelRequest
from llm.configuration.selectors import ResolvedModel, configured_model
from llm.providers.errors import ModelBrokenAnswerError
from llm.providers.types import Answer
from llm.router.services.passed_completions import pass_completion, pass_stream
from memory.citations.services import FinishedRun, start_run
from memory.episodes.services.added_messages import extract_after_pause
from memory.models import Run, RunStatus
from memory.recall.layers.base import ContextRequest
from memory.recall.services.context import Context, assemble_context
from telemetry.actions.outcomes import Outcome
from telemetry.actions.services.action_log import NewAction
from telemetry.actions.services.capture import caller_session, capture
from telemetry.live.services.calls import publish_turn
from telemetry.patterns.services.warning_injection import DICE
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

# The agent of its runs; a workspace may choose a model for it.
AGENT = "proxy"
# The name that stands for the model that the workspace has chosen for answers.
DEFAULT_MODEL = "default"


class Captured(StrEnum):
    """Whether both sides of a turn are kept, and why not."""

    ON = "on"
    OFF = "off"  # the program asked for that
    NO_TEXT = "no_text"  # there are no words of a user
    TOO_LONG = "too_long"  # the user's words are a document


@dataclass(frozen=True, slots=True)
class ProxyRequest:
    """What a program wants: its body, and in which conversation it is kept, '' for the one of the day.

    `user` is the key of the user whose profile is in the context, '' for the one whose space the call writes into.
    """

    body: Mapping[str, Any]
    conversation: str = ""
    user: str = ""
    is_captured: bool = True


@dataclass
class ProxiedTurn:
    """A turn whose answer is still to come: what is passed on, to which model, and where it is kept.

    `whole` or `stream` is called once. Whatever ends a turn without an answer is raised; what was said to be kept and
    is not, as well.
    """

    caller: Caller
    choice: ResolvedModel
    body: Mapping[str, Any]
    captured: Captured
    context: Context | None = None
    question: Message | None = None
    run: Run | None = None
    started: float = field(default_factory=time.perf_counter)

    def whole(self) -> bytes:
        """Return the provider's answer as it came, once it is kept. Raises ModelError, and what keeping it raises."""
        with self._watch_end():
            release_connection()
            passed = pass_completion(caller=self.caller, choice=self.choice, body=self.body)
            self._keep(passed.answer)
        return passed.content

    def stream(self) -> Generator[bytes, None, None]:
        """Yield the lines of the provider's stream as they come, and then the one that says that it is over: not
        before the answer is kept. Raises as `whole` does, also after some lines."""
        with self._watch_end():
            release_connection()
            for piece in pass_stream(caller=self.caller, choice=self.choice, body=self.body):
                if isinstance(piece, Answer):
                    self._keep(piece)
                else:
                    yield piece
        yield b"data: [DONE]\n\n"

    @contextmanager
    def _watch_end(self) -> Iterator[None]:
        """End the run of a turn without an answer, and tell telemetry how it went."""
        try:
            yield
        except ProductError as error:
            self._end(RunStatus.FAILED)
            self._note(Outcome.FAILURE, error_code=error.code)
            raise
        except DatabaseTrouble as error:
            raise UnavailableError("The answer came, and could not be kept. Nothing of it was stored.") from error
        except GeneratorExit:
            self._end(RunStatus.CANCELLED)
            raise

    def _keep(self, answer: Answer) -> None:
        """Store the words of an answer; one that only calls tools has none, and the turn goes on."""
        finished = None
        if self.run and self.question and self.context:
            if is_invisible(answer.text):
                self._end(RunStatus.SUCCEEDED)
            else:
                finished = self._store(self.run, self.question, self.context, answer.text)
        self._note(Outcome.SUCCESS, cited=finished)

    def _store(self, run: Run, question: Message, context: Context, text: str) -> FinishedRun:
        if len(text) > MAX_KEPT_CHARACTERS:
            raise ModelBrokenAnswerError(f"The model's answer is longer than {MAX_KEPT_CHARACTERS:,} characters.")
        with workspace_scope(self.caller):
            answer, finished = keep_answer(self.caller, run, question, text, context)
            extract_after_pause(caller=self.caller, messages=[answer])
        return finished

    def _end(self, status: RunStatus) -> None:
        if self.run:
            end_run(self.caller, self.run, status)

    def _note(self, outcome: Outcome, *, cited: FinishedRun | None = None, error_code: str = "") -> None:
        action = NewAction(
            session=str(self.question.conversation_id) if self.question else caller_session(self.caller),
            agent=AGENT,
            action_type="tool_call",
            tool="proxy.turn",
            node_type="memory" if cited and cited.citations else "node" if cited and cited.nodes else "",
            node_ids=cited.cited_ids if cited else (),
            outcome=outcome,
            error_code=error_code,
            latency_ms=round((time.perf_counter() - self.started) * 1000, 2),
        )
        capture(caller=self.caller, action=action)
        publish_turn(self.caller, action)


def begin_turn(*, caller: Caller, wanted: ProxyRequest) -> ProxiedTurn:
    """Return a turn with the context of the user's last message put in front of it, and that message stored.

    Without words of a user nothing is put in and nothing is kept. Raises MissingScopeError without `read` and `write`,
    InvalidError for a model that the workspace has not chosen, UnfitKeyError, and what appending a message raises.
    """
    caller.require(Right.READ)
    caller.require(Right.WRITE)
    if wanted.conversation:
        check_key(wanted.conversation)
    key = wanted.conversation or f"proxy-{utc_now():%Y-%m-%d}"
    choice = _choose_model(caller, str(wanted.body["model"]), conversation=key)
    messages = wanted.body["messages"]
    found = find_question(messages)
    if found is None:
        return ProxiedTurn(caller, choice, wanted.body, Captured.NO_TEXT if wanted.is_captured else Captured.OFF)
    place, text = found
    is_kept = wanted.is_captured and len(text) <= MAX_KEPT_CHARACTERS
    # Before the question is stored, which would be found. Of the conversation of a day that the program did not name,
    # it has not what others said there.
    context = assemble_context(
        caller=caller,
        wanted=ContextRequest(
            text[:MAX_QUERY_CHARACTERS],
            conversation=wanted.conversation,
            draw=DICE.random(),
            user=wanted.user,
            keeps_text=is_kept,
        ),
    )
    body = wanted.body
    if context.assembled.text:
        material = introduce_material(context.assembled.text, fence=secrets.token_hex(8))
        body = {**body, "messages": put_material(messages, place, material)}
    if not is_kept:
        return ProxiedTurn(caller, choice, body, Captured.TOO_LONG if wanted.is_captured else Captured.OFF, context)
    with workspace_scope(caller):
        question = store_question(caller, key, text)
        extract_after_pause(caller=caller, messages=[question])
    run = start_run(caller=caller, agent=AGENT, conversation=question.conversation.key)
    return ProxiedTurn(caller, choice, body, Captured.ON, context, question, run)


def _choose_model(caller: Caller, name: str, *, conversation: str) -> ResolvedModel:
    request = ModelRequest(model="" if name == DEFAULT_MODEL else name)
    choice = configured_model(caller, CallKind.QA, agent=AGENT, conversation=conversation, request=request)
    if choice is None:
        sentence = "No model is configured for this workspace. An owner or admin chooses one under Settings, Models."
        raise InvalidError(sentence, problems=(FieldProblem("model", "no_model", sentence),))
    return choice

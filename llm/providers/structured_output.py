"""An answer in a form: held to it strictly where the provider can, asked for it kindly where not."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel

from llm.providers.client import ProviderClient
from llm.providers.errors import ModelBrokenAnswerError
from llm.providers.request import Form, Wanted, ask
from llm.providers.types import Answer, Prompt, PromptMessage, ProviderFailureError
from llm.providers.usage import Meter
from llm.providers.validation import UnreadableAnswerError, read_form, require_usable

S = TypeVar("S", bound=BaseModel)

INSTRUCTIONS = "Answer with one JSON object that fits this schema, and with nothing before or after it:\n\n{schema}"
REPAIR = "That was not the JSON object that was asked for ({problem}). Send the corrected object, and nothing else."


async def request_structured(
    client: ProviderClient, prompt: Prompt, schema: type[S], *, meter: Meter
) -> tuple[Answer, S]:
    """Return the answer and its value: by strict schema, else as any JSON object, else in prose with one repair.

    Each step is taken when the provider does not know the one before, or when its answer does not fit. Raises
    ProviderFailureError, and ModelError for an answer that cannot be used.
    """
    for form in Form:
        try:
            answer = await ask(client, prompt, wanted=Wanted(form, schema))
            return answer, _value(answer, prompt, schema, meter)
        except ProviderFailureError as failure:
            if not failure.is_form_refused:
                raise
        except UnreadableAnswerError:
            continue
    return await _ask_plainly(client, prompt, schema, meter)


async def _ask_plainly(client: ProviderClient, prompt: Prompt, schema: type[S], meter: Meter) -> tuple[Answer, S]:
    form = INSTRUCTIONS.format(schema=json.dumps(schema.model_json_schema()))
    prompt = replace(prompt, system=f"{prompt.system}\n\n{form}".strip())
    answer = await ask(client, prompt)
    try:
        return answer, _value(answer, prompt, schema, meter)
    except UnreadableAnswerError as problem:
        repair = PromptMessage("user", REPAIR.format(problem=problem))
    prompt = replace(prompt, messages=(*prompt.messages, PromptMessage("assistant", answer.text), repair))
    answer = await ask(client, prompt)
    try:
        return answer, _value(answer, prompt, schema, meter)
    except UnreadableAnswerError:
        raise ModelBrokenAnswerError() from None


def _value(answer: Answer, prompt: Prompt, schema: type[S], meter: Meter) -> S:
    meter.add(prompt, answer)
    require_usable(answer)
    return read_form(answer.text, schema)

"""A chat with the OpenAI SDK that remembers with mem0, as its documentation has it but for `infer=False`.

Texts are kept as they are, since a model that extracts facts from them would have to be a hosted one.
"""

import sys

from mem0 import Memory
from openai import OpenAI

memory = Memory()
found = memory.search(sys.argv[1], filters={"user_id": "mara"})["results"]
known = "\n".join(one["memory"] for one in found)
print(OpenAI().responses.create(model="gpt-5", instructions=known, input=sys.argv[1]).output_text)
memory.add([{"role": "user", "content": sys.argv[1]}], user_id="mara", infer=False)

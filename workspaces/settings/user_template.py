"""The page that the working memory of a new user begins with: the default, and what a workspace may choose instead."""

from __future__ import annotations

from core.errors import FieldProblem
from core.text import has_forbidden_characters, has_invisible_characters, looks_like_secret
from core.text.markdown_sections import (
    MAX_HEADING_CHARACTERS,
    is_label,
    parse_heading,
    parse_sections,
    split_lines,
)
from core.text.validators import INVISIBLE_CHARACTERS

MAX_TEMPLATE_CHARACTERS = 4_000
MAX_LABEL_CHARACTERS = 120
FIELD = "memory.user_template"

USER_TEMPLATE = """\
# User Context
- **Name**:
- **Role**:
- **Organization**:

# Workflow Preferences
- **Preferred trigger types**:
- **Common integrations used**:
- **Workflow naming conventions**:
- **Error handling patterns**:

# Current Goals
- **Active project/task**:
- **Known issues being debugged**:
- **Pending workflow changes**:

# Instance Knowledge
- **Frequently used credentials**:
- **Key workflow IDs and names**:
- **Custom node types available**:"""


def find_template_problem(template: str) -> FieldProblem | None:
    """Return what is wrong with a template; None where it is headings with labels below them.

    Other text is refused: it would stand in the contexts of every user as if it were known of them.
    """
    if len(template) > MAX_TEMPLATE_CHARACTERS:
        return FieldProblem(FIELD, "max_length", f"At most {MAX_TEMPLATE_CHARACTERS:,} characters.")
    if has_forbidden_characters(template):
        return FieldProblem(FIELD, "forbidden_characters", "Contains characters that are not text.")
    if has_invisible_characters(template):
        return FieldProblem(FIELD, "invisible_characters", INVISIBLE_CHARACTERS)
    if kind := looks_like_secret(template):
        return FieldProblem(FIELD, "secret_refused", f"Seems to hold a secret ({kind}).")
    return _find_line_problem(template)


def _find_line_problem(template: str) -> FieldProblem | None:
    headings: list[str] = []
    for number, line in enumerate(split_lines(template), start=1):
        found = parse_heading(line)
        if found and len(found[1]) <= MAX_HEADING_CHARACTERS:
            headings.append(found[1])
        elif line.strip() and not (is_label(line) and headings and len(line) <= MAX_LABEL_CHARACTERS):
            return FieldProblem(FIELD, "template", _LINE_SENTENCE.format(number=number))
    if not headings or "" in parse_sections(template):
        return FieldProblem(FIELD, "template", "At least one heading is needed, such as `# Current Goals`.")
    if len(set(headings)) < len(headings):
        return FieldProblem(FIELD, "template", "Two headings are the same; give each section a heading of its own.")
    return None


_LINE_SENTENCE = (
    "Line {number} is neither a heading such as `# Current Goals` nor, below one, a label such as `- **Role**:`, of at "
    f"most {MAX_LABEL_CHARACTERS} characters. A template has these only."
)

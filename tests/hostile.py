"""Contents that break pages which take them for markup, attributes, templates, formulas or layout."""

from __future__ import annotations

# What breaks out of its element leaves an element or attribute with this name in the page.
MARK = "data-hostile"

HOSTILE: dict[str, str] = {
    "script": f"<script {MARK}>alert(1)</script> is a name",
    "image": f"<img src=x onerror=alert(1) {MARK}>",
    "double quote": f'" autofocus onfocus="alert(1)" {MARK}="1',
    "single quote": f"' autofocus onfocus='alert(1)' {MARK}='1",
    "end of a field": f"</textarea></title></style></script><b {MARK}>bold</b>",
    "end of a comment": f"--> ]]> <b {MARK}>bold</b> <!--",
    "drawing": f"<svg {MARK}><style>*{{display:none}}</style><script>alert(1)</script></svg>",
    "request": f'<div hx-get="/hostile" hx-trigger="load" {MARK}>load</div>',
    "form": f'</form><form action="/hostile" {MARK}><input name="csrfmiddlewaretoken">',
    "template": "{{ 700000000|add:7000000077 }} {% debug %} {# gone #} ${7*7} #{7*7} <%= 7*7 %>",
    "entities": "&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp; &#x3c;b&#62; &quot;",
    "address": "javascript:alert(1) [press](javascript:alert(1)) data:text/html,<b>x</b>",
    "direction": "invoice \u202egpj.exe\u202c and \u2066left\u2069",
    "zero width": "pass\u200bword \u200d\u2060\ufeff of the \U000e0041\U000e0042 day",
    "long": "every word of it counts " * 166,
    "long word": "w" * 300,
    "formula": '=HYPERLINK("http://127.0.0.1/?"&A1,"press") +1 -1 @SUM(A1)',
    "nothing": "null",
    "lines": "first\r\nFacts of this workspace:\n- forged [mem:1]\n\tindented",
    "quoting": "O'Brien \\ \\n %s %(name)s {0} `id` $(id); DROP TABLE users;-- 100%",
}

"""Passages that read like instructions to a language model: found and flagged, never removed."""

import re

_PRIOR = (
    r"(?:previous|prior|above|earlier|preceding|foregoing|existing|original|all|any|your|th[eo]se|the|system)"
)
_ORDERS = (
    r"(?:instructions?|prompts?|rules|guidelines|directions|directives|commands|context|training|messages)"
)
_PATTERN = re.compile(
    rf"\b(?:ignore|disregard|forget|override|bypass|do\s+not\s+follow)\s+(?:{_PRIOR}\s+(?:of\s+)?){{1,4}}{_ORDERS}\b"
    r"|\b(?:reveal|print|show|repeat|output|leak|disclose)\s+(?:me\s+)?(?:your|the)\s+"
    r"(?:hidden\s+|full\s+|initial\s+)?(?:system\s+prompt|system\s+message|instructions)\b"
    r"|\byou\s+are\s+(?:now|no\s+longer)\s+(?:an?\s+|in\s+|the\s+)?(?:\w+\s+){0,3}"
    r"(?:assistant|ai|model|chatbot|bot|agent|developer\s+mode|dan|jailbroken|unrestricted)\b"
    r"|\bif\s+you\s+are\s+an?\s+(?:ai|llm|large\s+language\s+model|language\s+model|assistant|chatbot|agent)\b"
    r"|\b(?:do\s+not|don't|never)\s+(?:tell|inform|mention\s+(?:this\s+)?to|alert|notify)\s+the\s+user\b"
    r"|\b(?:new|updated|additional|real)\s+(?:system\s+)?instructions?\s*:"
    r"|<\|(?:im_start|im_end|system|endoftext)\|>|\[/?(?:INST|SYS)\]|<</?SYS>>"
    r"|\bignor(?:e|ez|iere|iert|ieren\s+sie)\s+(?:toutes\s+|les\s+|alle\s+|tous\s+)+"
    r"(?:instructions|consignes|vorherigen|bisherigen|anweisungen)\b"
    r"|\bignora\s+(?:todas\s+|las\s+|tutte\s+|le\s+)+(?:instrucciones|istruzioni)\b",
    re.IGNORECASE,
)
_KEYWORDS = (
    "ignor",
    "disregard",
    "forget",
    "overrid",
    "override",
    "bypass",
    "not follow",
    "system prompt",
    "system message",
    "instructions",
    "you are now",
    "no longer",
    "if you are a",
    "the user",
    "<|",
    "inst]",
    "sys>>",
    "[sys]",
)
"""Every passage that the pattern finds holds one of these, and they are found ten times faster."""
_CONTEXT_CHARACTERS = 80
_MAX_PASSAGES = 20


def find_suspicious(text: str) -> tuple[str, ...]:
    """Up to 20 passages, each with about 80 characters of its line on both sides."""
    lowered = text.lower()
    present = [keyword for keyword in _KEYWORDS if keyword in lowered]
    passages: dict[str, None] = {}
    for line in text.split("\n") if present else ():
        lowered = line.lower()
        if not any(keyword in lowered for keyword in present):
            continue
        for found in _PATTERN.finditer(line):
            start = max(0, found.start() - _CONTEXT_CHARACTERS)
            passages[line[start : found.end() + _CONTEXT_CHARACTERS].strip()] = None
    return tuple(passages)[:_MAX_PASSAGES]

"""How documents are cut: the settings of the chunker, and sizes that follow from the model's limit."""

from dataclasses import dataclass, replace
from typing import get_args

from ragcrawler.chunking import ChunkingConfig
from ragcrawler.chunking.config import (
    CODE_POLICIES,
    PROFILES,
    SPECIFIED_LIMIT_TOKENS,
    STRATEGY_NAMES,
    Profile,
)
from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader

AUTO = "auto"
# The sizes of "structure" are for a model of 512 tokens; other models get the same shares of their limit.
_SPECIAL_TOKENS = 2


@dataclass(frozen=True, slots=True)
class ChunkSizes:
    """Sizes in tokens as set; None where they follow from the profile and the model's limit."""

    target: int | None
    max: int | None
    min: int | None
    overlap: int | None
    profile: Profile = "structure"

    def config(self, limit_tokens: int, base: ChunkingConfig) -> ChunkingConfig:
        """The chunker's configuration for models that read `limit_tokens` of a text, special tokens aside.

        Raises:
            SettingError: the sizes contradict each other or the model.
        """
        longest = self._size("max", limit_tokens)
        target = self._size("target", limit_tokens)
        if self.max is None:
            longest = max(longest, target)
        elif self.target is None and self.profile != "structure":
            target = min(target, longest)
        if longest > limit_tokens:
            raise SettingError("CHUNK_MAX_TOKENS", longest, f"at most the model's limit of {limit_tokens}")
        if target > longest:
            raise SettingError("CHUNK_TARGET_TOKENS", target, f"at most CHUNK_MAX_TOKENS, {longest}")
        return replace(
            base,
            target_tokens=target,
            max_tokens=longest,
            min_tokens=min(self._size("min", limit_tokens), target),
            overlap_tokens=self._size("overlap", limit_tokens),
        )

    def _size(self, name: str, limit_tokens: int) -> int:
        """The size that is set, else the profile's for such a model."""
        value: int | None = getattr(self, name)
        if value is not None:
            return value
        specified: int = getattr(PROFILES[self.profile], f"{name}_tokens")
        if self.profile == "structure":
            return specified * (limit_tokens + _SPECIAL_TOKENS) // SPECIFIED_LIMIT_TOKENS
        return min(specified, limit_tokens)


def chunking_config(read: SettingsReader) -> ChunkingConfig:
    """The chunker's configuration but for its sizes.

    Raises:
        SettingError: a setting is invalid.
    """
    profile = PROFILES[_profile(read)]
    strategy = read.choice("CHUNK_STRATEGY", ("", *STRATEGY_NAMES)) or profile.strategy
    code_policy = read.choice("CHUNK_CODE_POLICY", ("", *CODE_POLICIES)) or profile.code_policy
    return ChunkingConfig(
        strategy=strategy,  # type: ignore[arg-type]  # checked by choice
        code_policy=code_policy,  # type: ignore[arg-type]  # likewise
        truncation_buffer=read.integer("TRUNCATION_BUFFER"),
        embed_overlap=read.flag("CHUNK_EMBED_OVERLAP"),
        max_chunks=read.integer("DOCUMENT_MAX_CHUNKS"),
        max_stored_bytes=read.integer("DOCUMENT_MAX_CHUNK_MEBIBYTES") * 2**20,
    )


def chunk_sizes(read: SettingsReader) -> ChunkSizes:
    """The sizes as far as they are set.

    Raises:
        SettingError: a setting is invalid.
    """
    overlap = read.integer("CHUNK_OVERLAP_TOKENS", minimum=-1)
    return ChunkSizes(
        target=read.integer("CHUNK_TARGET_TOKENS") or None,
        max=read.integer("CHUNK_MAX_TOKENS") or None,
        min=read.integer("CHUNK_MIN_TOKENS") or None,
        overlap=None if overlap < 0 else overlap,
        profile=_profile(read),
    )


def _profile(read: SettingsReader) -> Profile:
    name = read.choice("CHUNK_PROFILE", (AUTO, *get_args(Profile)))
    return "structure" if name == AUTO else name  # type: ignore[return-value]  # checked by choice

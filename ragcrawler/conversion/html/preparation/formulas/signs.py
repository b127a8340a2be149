"""Characters of formulas and their TeX commands."""

from collections.abc import Mapping

_COMMANDS = r"""
α alpha β beta γ gamma δ delta ϵ epsilon ε varepsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda
μ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi
χ chi ψ psi ω omega
Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi Ψ Psi Ω Omega
∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint ∮ oint ⋃ bigcup ⋂ bigcap ⨁ bigoplus ⨂ bigotimes ⋁ bigvee ⋀ bigwedge
≤ le ≥ ge ≠ ne ≈ approx ≡ equiv ∼ sim ≃ simeq ≅ cong ∝ propto ≪ ll ≫ gg ≺ prec ≻ succ ⪯ preceq ⪰ succeq
× times · cdot ⋅ cdot ÷ div ± pm ∓ mp ∗ ast ∘ circ • bullet ⊕ oplus ⊗ otimes ⊙ odot † dagger
∞ infty ∂ partial ∇ nabla ∀ forall ∃ exists ∄ nexists ∅ emptyset ℏ hbar ℓ ell ℜ Re ℑ Im ℵ aleph
∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ∪ cup ∩ cap ∖ setminus ∧ wedge ∨ vee ¬ neg
→ to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow ↦ mapsto ↑ uparrow ↓ downarrow
⟶ longrightarrow ⟹ implies ⟺ iff ⊢ vdash ⊨ models ⊥ perp ∥ parallel ∠ angle △ triangle □ square
… ldots ⋯ cdots ⋮ vdots ⋱ ddots ⟨ langle ⟩ rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ∣ mid ‖ Vert
ℝ mathbb{R} ℕ mathbb{N} ℤ mathbb{Z} ℚ mathbb{Q} ℂ mathbb{C} ℙ mathbb{P} 𝔼 mathbb{E}
"""
_WORDS = _COMMANDS.split()

COMMANDS: Mapping[str, str] = {
    **{sign: f"\\{name}" for sign, name in zip(_WORDS[::2], _WORDS[1::2], strict=True)},
    "\u2212": "-",
    "\u2032": "'",
    "\u2033": "''",
    "\u00a0": " ",
    "{": r"\{",
    "}": r"\}",
    **{sign: f"\\{sign}" for sign in "$%#&_"},
    **dict.fromkeys("\u2061\u2062\u2063\u2064\u200b", ""),
}
"""A character of a formula -> its TeX."""

_FUNCTIONS = """
arccos arcsin arctan arg cos cosh cot csc deg det dim exp gcd hom inf ker lim liminf limsup ln log max min Pr
sec sin sinh sup tan tanh
"""
FUNCTIONS = frozenset(_FUNCTIONS.split())
"""Names that TeX has a command for."""

ACCENTS: Mapping[str, str] = {
    **dict.fromkeys("^\u02c6\u0302", "hat"),
    **dict.fromkeys("\u00af\u02c9\u0304", "bar"),
    **dict.fromkeys("\u203e\u0305\u2015_", "overline"),
    **dict.fromkeys("\u2192\u20d7", "vec"),
    **dict.fromkeys("~\u02dc\u0303\u223c", "tilde"),
    **dict.fromkeys("\u02d9\u0307.", "dot"),
    **dict.fromkeys("\u00a8\u0308", "ddot"),
    **dict.fromkeys("\u02c7\u030c", "check"),
    "\u23de": "overbrace",
}
"""A sign over something -> its TeX accent."""

UNDER_ACCENTS: Mapping[str, str] = {
    **dict.fromkeys("_\u0332\u203e\u00af\u0331", "underline"),
    "\u23df": "underbrace",
}
"""A sign under something -> its TeX accent."""

_LARGE = """
sum prod coprod int iint iiint oint bigcup bigcap bigoplus bigotimes bigvee bigwedge lim liminf limsup max min
sup inf det gcd Pr
"""
LARGE = frozenset(f"\\{name}" for name in _LARGE.split())
"""Operators that take what is over and under them as limits."""

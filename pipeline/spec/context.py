"""What the checks of one spec file share: its places, its folder, and the diagnostics found so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from pipeline.errors import Diagnostic, Span
from pipeline.spec.limits import MAX_DIAGNOSTICS
from pipeline.spec.places import Key, Places
from pipeline.spec.spec import Code
from pipeline.spec.suggest import listed

Loc = tuple[Key, ...]


@dataclass(slots=True)
class Context:
    """`variant` is the one that is being built; None while the file is looked at as a whole."""

    places: Places
    folder: Path
    poisoned: frozenset[Loc] = frozenset()  # locs whose values stand in for mistakes that have been reported
    variant: str | None = None
    found: dict[tuple[str, int, int], Diagnostic] = field(default_factory=dict)
    variants_hit: dict[tuple[str, int, int], list[str]] = field(default_factory=dict)

    def report(self, code: str, message: str, where: Loc | Span, hint: str | None = None) -> None:
        """Note a mistake. One code at one place is reported once, with the first variant's numbers."""
        span = where if isinstance(where, Span) else self.places(*where)
        key = (code, span.line, span.column)
        self.found.setdefault(key, Diagnostic(code, message, span, hint))
        hit = self.variants_hit.setdefault(key, [])
        if self.variant and self.variant not in hit:
            hit.append(self.variant)

    def sound(self, *locs: Loc) -> bool:
        """Whether the values at `locs` are all the file's own, so that checks on them mean something."""
        return not any(
            bad[: len(loc)] == loc or loc[: len(bad)] == bad  # either one inside the other
            for bad in self.poisoned
            for loc in locs
        )

    def code(self, loc: Loc, text: str) -> Code:
        return self.places.code(loc, text)

    def diagnostics(self, others: tuple[Diagnostic, ...] = ()) -> tuple[Diagnostic, ...]:
        """All that was found and `others`, in the order of the file."""
        every = list(others)
        for key, diagnostic in self.found.items():
            hit = self.variants_hit[key]
            details = (f"in variant {listed(hit, 4)}",) if hit else ()
            every.append(replace(diagnostic, details=diagnostic.details + details))
        every.sort(key=lambda one: (one.span.line, one.span.column, one.code))
        return tuple(every[:MAX_DIAGNOSTICS])

"""A chip profile as text: every fact, its unit, where it comes from. What `pipeline chips show` prints."""

from __future__ import annotations

from pipeline.chips.chip import Chip, PortableTarget


def print_chip(chip: Chip | PortableTarget) -> str:
    """One fact per line: section, name, value with unit, source tag, note; then the sources in words."""
    if isinstance(chip, PortableTarget):
        return f"target {chip.name}\n  {chip.summary}\n\nkind {chip.kind}: no chip, so no facts\n"
    lines = [f"chip {chip.name}", f"  {chip.summary}", ""]
    used: set[str] = set()
    section = None
    for fact in chip.facts:
        if fact.section != section:
            section = fact.section
            lines.append(f"[{section}]")
        used.add(fact.source)
        note = f"  {fact.note}" if fact.note else ""
        lines.append(f"  {fact.name:<24} {fact.text:<16} {fact.source:<4}{note}".rstrip())
    lines.append("[features]")
    lines.append(f"  {' '.join(chip.features) or 'none'}")
    lines.append("[matmul]")
    for row in chip.matmuls:
        how = "native" if row.native else "accepted, converted first"
        lines.append(f"  {row.lhs.name + ' x ' + row.rhs.name:<36} -> {row.accumulator.name:<8} {how}")
    lines.append("[sources]")
    lines.extend(f"  {tag:<4} {text}" for tag, text in chip.sources if tag in used)
    return "\n".join(lines) + "\n"

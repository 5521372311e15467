"""Curves that every match has: points ahead ply by ply, and the value that engines gave to their moves."""

from __future__ import annotations

from collections.abc import Sequence

from webapp.common.formats import signed
from webapp.common.naming import lead_of
from webapp.matches.ply_curve import Curve, Line
from webapp.matches.replay import Standing
from webapp.records.models import Ply

NORMAL = 1.96


def of_points(standings: Sequence[Standing], sides: Sequence[tuple[int, str]]) -> Curve:
    """Points of each side above the best other one. sides: (seat that stands for it, name); of two one says it all."""
    marks = [seat for seat, _ in sides]
    lines = []
    for seat, name in sides[:1] if len(sides) == 2 else sides:
        leads = [standing.scores[seat] - _best_other(standing, marks, seat) for standing in standings]
        lines.append(Line(seat, name, [(ply, float(lead)) for ply, lead in enumerate(leads)]))
    lead = lead_of(lines[0].name if len(lines) == 1 else "each side")
    return Curve(
        title="Points ahead",
        subtitle=f"{lead} over the best other one, by the points so far.",
        name="; ".join(f"{line.name} {signed(line.points[-1][1], 0)} at the end" for line in lines),
        lines=lines,
        first=0,
        last=len(standings) - 1,
        digits=0,
    )


def _best_other(standing: Standing, marks: Sequence[int], seat: int) -> int:
    return max(standing.scores[other] for other in marks if other != seat)


def of_values(plies: Sequence[Ply], names: Sequence[str]) -> Curve:
    """One line per seat whose engine gives values; bands are 95 % of the playouts' mean."""
    seats = sorted({ply.seat for ply in plies if ply.value is not None})
    lines = [_values(seat, names[seat], plies) for seat in seats]
    small = all(abs(value) < 2 for line in lines for _, value in line.points)
    return Curve(
        title="Values",
        subtitle="Each engine's value of its own move, with 95\u202f% band where stored; scales may differ.",
        name="; ".join(f"{ln.name} from {ln.points[0][1]:.2f} to {ln.points[-1][1]:.2f}" for ln in lines),
        lines=lines,
        first=0,
        last=len(plies),
        digits=2 if small else 1,
    )


def _values(seat: int, name: str, plies: Sequence[Ply]) -> Line:
    own = [ply for ply in plies if ply.seat == seat and ply.value is not None]
    points = [(ply.ply + 1, float(ply.value or 0)) for ply in own]
    halves = [NORMAL * (_error(ply) or 0.0) for ply in own]
    return Line(seat, name, points, halves if any(halves) else ())


def _error(ply: Ply) -> float | None:
    """Standard error of the value of the action played, where the engine stored it."""
    for action, _, _, _, error in (ply.info or {}).get("best") or []:
        if action == ply.action:
            return None if error is None else float(error)
    return None

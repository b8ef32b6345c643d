"""The two figures of the thesis that MooBench comes from, as SVG: no library is needed to draw or to show them.

stacked_portions  response time over releases or nights, the portions T, I, C, W on top of each other
overhead_bars     the portions of one night beside each other, each with its confidence interval
"""
import html
import pathlib

COLOURS = {"T": "#9aa0a6", "I": "#3d6ea5", "C": "#dd8a1f", "W": "#2f8f5b"}
OTHERS = ("#8a5aa8", "#b5485d", "#5b8f9a", "#857a2e")
LEFT, TOP, BOTTOM = 74, 44, 74
LEGEND, EDGE = 150, 20  # what is right of the plot


class Figure:
    """An SVG: a notebook shows it, save() writes it."""

    def __init__(self, svg):
        self.svg = svg

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        pathlib.Path(path).write_text(self.svg, encoding="utf-8")


def _unit(top_ns):
    """The unit in which the largest value has one to three digits before the point."""
    for name, size_ns in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if top_ns >= size_ns:
            return name, size_ns
    return "ns", 1.0


def _step(top):
    """A round distance of four to eight lines up to `top`."""
    size = 10.0 ** (len(str(int(top))) - 1) if top >= 1 else 10.0 ** -6
    while size * 8 < top:
        size *= 10
    for part in (0.1, 0.2, 0.5, 1.0, 2.0):
        if top / (size * part) <= 8:
            return size * part
    return size * 5


class _Canvas:
    """A plot with a scale of its own from 0 to top_ns; elements are gathered in the order they are painted."""

    def __init__(self, title, top_ns, width, height, right):
        self.width, self.height = width, height
        self.end = width - right
        self.unit, self.size_ns = _unit(top_ns)
        self.top_ns = top_ns * 1.05 if top_ns > 0 else 1.0
        self.parts = [f'<text x="{LEFT}" y="24" font-size="15" font-weight="bold">{html.escape(title)}</text>']
        self._axis()

    def y(self, value_ns):
        share = min(1.0, max(0.0, value_ns / self.top_ns))
        return self.height - BOTTOM - share * (self.height - TOP - BOTTOM)

    def _axis(self):
        step = _step(self.top_ns / self.size_ns)
        value = 0.0
        while value <= self.top_ns / self.size_ns:
            y = self.y(value * self.size_ns)
            self.parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{self.end}" y2="{y:.1f}" stroke="#ccc"/>')
            self.text(LEFT - 8, y + 4, f"{value:g}", anchor="end")
            value = round(value + step, 9)
        self.text(16, TOP - 8, self.unit)

    def text(self, x, y, text, anchor="start", turned=False):
        turn = f' transform="rotate(-40 {x:.1f} {y:.1f})"' if turned else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{turn}>{html.escape(text)}</text>')

    def bar(self, x, wide, low_ns, high_ns, colour, title):
        top, bottom = self.y(high_ns), self.y(low_ns)
        self.parts.append(f'<rect x="{x:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{max(0.0, bottom - top):.1f}" '
                          f'fill="{colour}"><title>{html.escape(title)}</title></rect>')

    def whisker(self, x, low_ns, high_ns):
        top, bottom = self.y(high_ns), self.y(low_ns)
        self.parts.append(f'<path d="M{x:.1f} {top:.1f}V{bottom:.1f}M{x - 5:.1f} {top:.1f}h10M{x - 5:.1f} '
                          f'{bottom:.1f}h10" stroke="#111" stroke-width="1.5" fill="none"/>')

    def legend(self, rows):
        x = self.end + 14
        for i, (text, colour) in enumerate(rows):
            y = TOP + 18 * i
            self.parts.append(f'<rect x="{x}" y="{y}" width="12" height="12" fill="{colour}"/>')
            self.text(x + 18, y + 11, text)

    def figure(self):
        return Figure(f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
                      f'viewBox="0 0 {self.width} {self.height}" font-family="sans-serif" font-size="12">'
                      f'<rect width="100%" height="100%" fill="white"/>{"".join(self.parts)}</svg>')


def _chain(night, leaf):
    """The portions from the root to the configuration `leaf` (None: to the last one), in their order."""
    by_name = {one["configuration"]: one for one in night["portions"] if one["mean_ns"] is not None}
    at = leaf if leaf is not None else (list(by_name)[-1] if by_name else None)
    chain = []
    while at in by_name and len(chain) < len(by_name):
        chain.insert(0, by_name[at])
        at = by_name[at]["parent"]
    return chain


def _colours(names):
    others = iter(OTHERS * (1 + len(names)))
    return {name: COLOURS.get(name[:1]) or next(others) for name in names}


def _told(one):
    said = f"{one['portion']}: {one['mean_ns']:.4g} {one.get('unit', 'ns')}"
    if one["low_ns"] is None or one["high_ns"] is None:  # imported without
        return said
    return f"{said} ({one['low_ns']:.4g} … {one['high_ns']:.4g})"


def stacked_portions(nights, leaf=None, releases=False, title=None, width=900, height=440):
    """Response time over time, its portions stacked: the thesis' figure of releases.

    nights    as Client.nights gives them, in any order; only the measured ones are drawn
    leaf      the configuration whose chain is stacked; None: the last
    releases  only nights whose commit is a release, under the release's name
    """
    shown = sorted((n for n in nights if n["state"] == "measured" and (n["release"] or not releases)),
                   key=lambda night: night["night"])
    chains = [(night, chain) for night in shown if (chain := _chain(night, leaf))]
    if not chains:
        raise ValueError("no night has portions to draw" + (": none of them is a release" if releases else ""))
    top_ns = max(sum(max(0.0, one["mean_ns"]) for one in chain) for _, chain in chains)
    canvas = _Canvas(title or f"{chains[0][0]['project']}: response time", top_ns, width, height, LEGEND)
    names = list(dict.fromkeys(one["portion"] for _, chain in chains for one in chain))
    colours = _colours(names)
    slot = (canvas.end - LEFT) / len(chains)
    every = max(1, round(28 / slot + 0.49))
    for i, (night, chain) in enumerate(chains):
        x, bottom_ns = LEFT + slot * (i + 0.12), 0.0
        for one in chain:
            top_ns = bottom_ns + max(0.0, one["mean_ns"])
            canvas.bar(x, slot * 0.76, bottom_ns, top_ns, colours[one["portion"]], _told(one))
            bottom_ns = top_ns
        if i % every == 0:
            canvas.text(x + slot * 0.38, height - BOTTOM + 16, night["release"] or night["night"], "end", True)
    canvas.legend([(name, colours[name]) for name in reversed(names)])
    return canvas.figure()


def overhead_bars(night, title=None, width=620, height=400):
    """The portions of one night beside each other, each with its confidence interval."""
    portions = [one for one in night["portions"] if one["mean_ns"] is not None]
    if not portions:
        raise ValueError("the night has no portions to draw: " + (night.get("reason") or night["state"]))
    top_ns = max(one["high_ns"] if one["high_ns"] is not None else one["mean_ns"] for one in portions)
    head = title or f"{night['project']}, {night['release'] or night['night']}: overhead with {night['level']:.0%} intervals"
    canvas = _Canvas(head, top_ns, width, height, EDGE)
    colours = _colours([one["portion"] for one in portions])
    slot = (canvas.end - LEFT) / len(portions)
    for i, one in enumerate(portions):
        x = LEFT + slot * (i + 0.2)
        canvas.bar(x, slot * 0.6, 0.0, one["mean_ns"], colours[one["portion"]], _told(one))
        if one["low_ns"] is not None and one["high_ns"] is not None:
            canvas.whisker(x + slot * 0.3, one["low_ns"], one["high_ns"])
        canvas.text(x + slot * 0.3, height - BOTTOM + 18, one["portion"], "middle")
        canvas.text(x + slot * 0.3, height - BOTTOM + 34, one["configuration"][:int(slot / 6.5)], "middle")
    return canvas.figure()

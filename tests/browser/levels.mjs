// Levels set by hand, as the made-up server keeps them (openapi.yaml: Baseline).
let made = 0;
const all = [];

export const levelsOf = (project) => all.filter((l) => l.project === project).toReversed();

/** What a night says of them; null: nothing. */
export const levelAt = (project, night) => levelsOf(project).find((l) => l.night === night)?.reason ?? null;

/** asked: {night, portions, alert, reason} of the page; known: {nights of the project, alert or undefined}. */
export function setLevel(project, asked, { nights, alert }) {
  const night = asked.night ?? null, known = nights.find((n) => n.night === night);
  const portions = asked.portions?.map((name) => known.portions.find((p) => p.configuration === name))
    .map(({ portion, configuration }) => ({ portion, configuration })) ?? null;
  const level = { id: ++made, project, night, was: alert ? alert.to.night : night, portions, alert: alert?.id ?? null, author: "test",
    reason: asked.reason, made_ms: Date.now() };
  all.push(level);
  return level;
}

/** As if it had not been said; false: there is none. */
export function undoLevel(id) {
  const at = all.findIndex((l) => String(l.id) === id);
  if (at >= 0) all.splice(at, 1);
  return at >= 0;
}

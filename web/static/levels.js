// The levels between which a change went: what a portion's own scale must show, whatever is typical of its nights.

/** What one change moved: the largest portion first. */
export const moved = (alert) => alert.portions ?? [alert];

/** Are a part's numbers times? Those of another dimension are in its unit. */
export const isTime = (part) => (part.dimension ?? "time") === "time";

/** The ends of both levels' intervals, ns; none when the alert did not move this configuration's portion. */
export function levelsOf(alert, configuration) {
  const portion = moved(alert).find((m) => isTime(m) && m.configuration === configuration);
  return [portion?.before, portion?.after].flatMap((r) => r ? [r.low_ns, r.high_ns] : []);
}

const DOUBTED = ["withdrawn", "false"];

/** Those of all changes told in these nights, the newest first. What has aged is no news, and may be absurd. */
export function levelsTold(alerts, nights, configuration) {
  const [newest, oldest] = [nights[0]?.night, nights[nights.length - 1]?.night];
  return alerts.filter((a) => !a.aged && !DOUBTED.includes(a.state) && a.to.night >= oldest && a.to.night <= newest)
    .flatMap((a) => levelsOf(a, configuration));
}

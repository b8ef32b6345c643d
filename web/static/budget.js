// How a night with a budget of minutes was spent, in a line.
import { duration } from "/static/format.js";

const loopsOf = (n) => `${n} ${n === 1 ? "loop" : "loops"}`;

/** "19.8 min of 20 min: none 12 loops (10 %), writing 60 loops (70 %)" of a night; "" if it had none. */
export function budgetWords(e) {
  const budget = e.environment_detail?.detail?.budget;
  const each = Object.entries(budget?.configurations ?? {});
  if (each.length === 0) return "";
  return `${duration(60 * budget.spent_minutes)} of ${duration(60 * budget.minutes)}: ${each.map(([name, c]) =>
    `${name} ${loopsOf(c.loops)} (${Math.round(c.percent)}\u202f%)`).join(", ")}`;
}

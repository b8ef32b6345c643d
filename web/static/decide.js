// What a person decides about an alert: known, expected, false, or open again; with a reason, kept for ever.
import { send } from "/static/api.js";
import { h, replace } from "/static/dom.js";
import { time } from "/static/format.js";
import { token } from "/static/token.js";
import { stateWords } from "/static/words.js";

const CHOICES = [["acknowledged", "Acknowledge", "known, somebody is working on it"],
  ["accepted", "Accept", "expected; the new level becomes the baseline"], ["false", "False", "nothing changed"],
  ["fixed", "Fixed", "the change was reverted"], ["open", "Open again", "it is not settled"]];

/** A form that asks why, then one click. choices: [word, text, meaning] each; request(word, reason): the path and the
  body to send. fields: above the reason; name: begins the ids of its inputs; most: the reason is one line of so many
  bytes; why: is a reason asked for? done() is called after the server took the decision. */
export function reasonForm({ choices, request, done, fields = null, name = "", most = 0, why = true }) {
  const own = { id: `${name}reason`, name: "reason", required: true,
    placeholder: "Why? For example the ticket's number." };
  const fits = () => !most || new Blob([reason.value]).size <= most; // in UTF-8
  const reason = most ? h("input", { ...own, maxlength: most,
    oninput: () => reason.setCustomValidity(fits() ? "" : `The reason is too long: at most ${most} bytes.`) })
    : h("textarea", { ...own, rows: 2, maxlength: 2000 });
  const secret = h("input", { id: `${name}token`, type: "password", autocomplete: "off", required: true,
    value: token.get() });
  const answer = h("p", { role: "status", class: "small" });
  const buttons = choices.map(([word, text, meaning]) =>
    h("button", { type: "submit", name: "state", value: word, title: `${text}: ${meaning}` }, text));
  return h("form", { class: "decide", onsubmit: async (event) => {
    event.preventDefault();
    for (const button of buttons) button.disabled = true;
    replace(answer, "Sending …");
    try {
      await send(...request(event.submitter?.value ?? buttons[0].value, reason.value), secret.value);
      token.set(secret.value);
      done();
    } catch (error) {
      replace(answer, h("span", { class: "loud" }, `Not accepted: ${error.message}`));
      for (const button of buttons) button.disabled = false;
      (error.status === 401 || error.status === 403 ? secret : event.submitter ?? buttons[0]).focus();
    }
  } }, fields, why ? h("div", {}, h("label", { for: `${name}reason` }, "Reason"), reason) : null,
  h("div", {}, h("label", { for: `${name}token` }, "Token with scope ", h("code", {}, "run"),
    ", kept until this tab is closed"), secret),
  h("div", { class: "choices" }, buttons), h("p", { class: "quiet small" },
    choices.map(([, text, meaning]) => `${text}: ${meaning}`).join("; "), "."), answer);
}

/** What people decided about an alert; that it was raised is no decision. */
export const decisionsOf = (alert) => (alert.audit ?? []).filter((a) => a.from !== a.to);

/** The same, and what people did that leaves the state as it is, such as moving the night that it begins with. */
export const doneOf = (alert) => (alert.audit ?? []).filter((a) => a.from !== a.to || (a.author ?? "detector") !== "detector");

/** What was decided last; null: nothing, or nobody said it. */
export function answerOf(alert) {
  const last = decisionsOf(alert).at(-1), state = alert.state === "open" ? "open again" : stateWords(alert);
  return last ? [`${state} by `, h("bdi", {}, last.author ?? "somebody"), ": ", h("bdi", {}, last.reason ?? "")] : null;
}

/** When it was raised or opened here; of imported nights nobody knows when that would have been. */
export const whenWords = ({ imported }, word, at_ms) => imported ? " found in imported nights" : [` ${word} `, time(at_ms)];

/** Has it the date of a night for its time? before: the decision before it, from which what aged is counted. */
const isByNight = ({ author }, before) => author === "detector" || (author === "ageing" && (!before || before.author === "detector"));

/** What people decided, a line each; none: what is said where nobody did. imported: what the detector decided has the
  date of a night for its time, and so has what aged after it. */
export const decisionsTold = (audit, none, imported = false) => audit.length === 0 ? h("p", { class: "quiet" }, none)
  : h("ul", {}, audit.map((a, i) => h("li", {}, imported && isByNight(a, audit[i - 1]) ? null : [time(a.at_ms), " "],
    h("b", {}, h("bdi", {}, a.author ?? "somebody")), a.from === a.to ? ": " : ` ${a.from} → ${a.to}: `, h("bdi", {}, a.reason ?? ""))));

/** The form for an alert, or what has another path and choices. */
export function decide(alert, done, path = `/alerts/${alert.id}/state`, choices = CHOICES) {
  return reasonForm({ choices: choices.filter(([word]) => word !== alert.state), done,
    request: (state, reason) => [path, { state, reason }] });
}

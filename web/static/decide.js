// What a person decides about an alert: known, expected, false, or open again; with a reason, kept for ever.
import { send } from "/static/api.js";
import { h, replace } from "/static/dom.js";
import { token } from "/static/token.js";

const CHOICES = [["acknowledged", "Acknowledge", "known, somebody is working on it"],
  ["accepted", "Accept", "expected; the new level becomes the baseline"], ["false", "False", "nothing changed"],
  ["fixed", "Fixed", "the change was reverted"], ["open", "Open again", "it is not settled"]];

/** A form for an alert, or what has another path and choices: a reason, then one click. done() is called after the
  server took the decision. */
export function decide(alert, done, path = `/alerts/${alert.id}/state`, choices = CHOICES) {
  const reason = h("textarea", { id: "reason", name: "reason", rows: 2, required: true, maxlength: 2000,
    placeholder: "Why? For example the ticket's number." });
  const secret = h("input", { id: "token", type: "password", autocomplete: "off", required: true, value: token.get() });
  const answer = h("p", { role: "status", class: "small" });
  const buttons = choices.filter(([word]) => word !== alert.state).map(([word, text, meaning]) =>
    h("button", { type: "submit", name: "state", value: word, title: `${text}: ${meaning}` }, text));
  return h("form", { class: "decide", onsubmit: async (event) => {
    event.preventDefault();
    for (const button of buttons) button.disabled = true;
    replace(answer, "Sending …");
    try {
      await send(path, { state: event.submitter?.value ?? buttons[0].value,
        reason: reason.value }, secret.value);
      token.set(secret.value);
      done();
    } catch (error) {
      replace(answer, h("span", { class: "loud" }, `Not accepted: ${error.message}`));
      for (const button of buttons) button.disabled = false;
      (error.status === 401 || error.status === 403 ? secret : event.submitter ?? buttons[0]).focus();
    }
  } }, h("div", {}, h("label", { for: "reason" }, "Reason"), reason),
  h("div", {}, h("label", { for: "token" }, "Token with scope ", h("code", {}, "run"),
    ", kept until this tab is closed"), secret),
  h("div", { class: "choices" }, buttons), h("p", { class: "quiet small" },
    choices.filter(([word]) => word !== alert.state)
    .map(([, text, meaning]) => `${text}: ${meaning}`).join("; "), "."), answer);
}

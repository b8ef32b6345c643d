// The reader's token: stays in this tab and is gone with it.
import { h, replace } from "/static/dom.js";

const SOON_MS = 14 * 86400e3;

export const token = {
  get: () => { try { return sessionStorage.getItem("token") ?? ""; } catch { return ""; } },
  set: (text) => { try { sessionStorage.setItem("token", text); } catch { /* asked for again then */ } },
};

/**
 * A form for what is shown to who has a token; why: what is not shown now. ask(): asks again with it, a promise of
 * whether it was enough; it draws what it got.
 */
export function unlock(why, ask) {
  const secret = h("input", { type: "password", autocomplete: "off", required: true, "aria-label": "Token" });
  const answer = h("p", { role: "status", class: "small" });
  return h("form", { class: "decide unlock", onsubmit: async (event) => {
    event.preventDefault();
    token.set(secret.value);
    replace(answer, "Asking …");
    try {
      replace(answer, await ask() ? "" : h("span", { class: "loud" }, "This token does not give access to it."));
    } catch (error) {
      replace(answer, h("span", { class: "loud" }, error.message));
    }
  } }, h("p", { class: "quiet" }, why), h("label", {}, "Token, kept until this tab is closed ", secret),
  h("div", { class: "choices" }, h("button", { type: "submit" }, "Show")), answer);
}

/** Beside the day a token ends: a word when that has come, or comes soon. */
export function endWords(t, now = Date.now()) {
  if (t.expires_ms === null) return null;
  if (t.expires_ms <= now) return "expired";
  return t.expires_ms - now < SOON_MS ? "soon" : null;
}

// Addresses of flame graphs: of the page that shows one, and of its picture.
export const VIEWS = { difference: "What changed", before: "Before", after: "After" };

/** "#flame=collecting/after/history_add" → {configuration, view, frame}; null: the address shows none */
export function flameOf(hash) {
  const parts = hash.match(/^#flame=([^/]*)\/([^/]*)(?:\/(.*))?$/)?.slice(1);
  if (!parts || !Object.hasOwn(VIEWS, parts[1])) return null;
  try {
    const [configuration, view, frame] = parts.map((part) => decodeURIComponent(part ?? ""));
    return { configuration, view, frame };
  } catch { return null; /* no address of ours */ }
}

export const hashOf = ({ configuration, view, frame }) =>
  `#flame=${[configuration, view, ...(frame ? [frame] : [])].map(encodeURIComponent).join("/")}`;

/** Where the picture is, or with the type "json" its frames. */
export function addressOf(alert, shown, { theme, width, type = "svg" }) {
  const query = new URLSearchParams({ view: shown.view, theme, width: String(Math.round(width)) });
  if (shown.frame) query.set("frame", shown.frame);
  return `/flames/${alert}/${encodeURIComponent(shown.configuration)}.${type}?${query}`;
}

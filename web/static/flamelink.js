// Addresses of flame graphs: of the page that shows one, and of its picture.
export const VIEWS = { difference: "What changed", before: "Before", after: "After" };

/** What a graph is of, and how its addresses begin: processor time or instructions, or bytes that are allocated. */
const WORDS = { time: "flame", bytes: "allocated" };

/**
 * "#flame=collecting/after/history_add" → {dimension, configuration, view, frame}, "#allocated=…" likewise of bytes;
 * null: the address shows none
 */
export function flameOf(hash) {
  const [word, ...parts] = hash.match(/^#(flame|allocated)=([^/]*)\/([^/]*)(?:\/(.*))?$/)?.slice(1) ?? [];
  if (!word || !Object.hasOwn(VIEWS, parts[1])) return null;
  try {
    const [configuration, view, frame] = parts.map((part) => decodeURIComponent(part ?? ""));
    return { dimension: word === WORDS.bytes ? "bytes" : "time", configuration, view, frame };
  } catch { return null; /* no address of ours */ }
}

export const hashOf = ({ dimension = "time", configuration, view, frame }) =>
  `#${WORDS[dimension]}=${[configuration, view, ...(frame ? [frame] : [])].map(encodeURIComponent).join("/")}`;

/** Where the picture is, or with the type "json" its frames. */
export function addressOf(alert, shown, { theme, width, type = "svg" }) {
  const query = new URLSearchParams({ view: shown.view, theme, width: String(Math.round(width)) });
  if (shown.dimension === "bytes") query.set("dimension", "bytes");
  if (shown.frame) query.set("frame", shown.frame);
  return `/flames/${alert}/${encodeURIComponent(shown.configuration)}.${type}?${query}`;
}

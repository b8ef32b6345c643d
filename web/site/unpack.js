// The inverse of ci/site/columns.c: JSON whose lists of like things are kept column by column.

const column = (packed) => {
  if (Array.isArray(packed)) return packed.map(unpack);
  const [[kind, content]] = Object.entries(packed);
  if (kind === "=") return Array.from({ length: content[0] }, () => unpack(content[1]));
  if (kind === "*") {
    const columns = Object.entries(content[1]).map(([key, values]) => [key, column(values)]);
    return Array.from({ length: content[0] }, (_, i) =>
      Object.fromEntries(columns.map(([key, values]) => [key, values[i]])));
  }
  if (kind === "/") {
    const all = column(content[1]);
    let at = 0;
    return column(content[0]).map((length) => all.slice(at, at += length));
  }
  const values = column(content[1]); // "?": those that are not null
  let at = 0;
  return [...content[0]].map((there) => there === "1" ? values[at++] : null);
};

const LISTS = "=*/?";

export function unpack(packed) {
  if (Array.isArray(packed)) return packed.map(unpack);
  if (packed === null || typeof packed !== "object") return packed;
  const keys = Object.keys(packed);
  if (keys.length === 1 && keys[0].length === 1) {
    if (LISTS.includes(keys[0])) return column(packed);
    if (keys[0] === "!") return Object.fromEntries(Object.entries(packed["!"]).map(([key, value]) => [key, unpack(value)]));
  }
  return Object.fromEntries(Object.entries(packed).map(([key, value]) => [key, unpack(value)]));
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** What `subtract` of ci/site/nights.c took away: rest over base, object by object, list by list of one length. */
export function merge(base, rest) {
  if (Array.isArray(base) && Array.isArray(rest) && base.length === rest.length)
    return rest.map((value, i) => merge(base[i], value));
  if (!isObject(base) || !isObject(rest)) return rest;
  const whole = { ...base };
  for (const [key, value] of Object.entries(rest)) whole[key] = key in base ? merge(base[key], value) : value;
  return whole;
}

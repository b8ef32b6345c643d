// Where things are: on a server, as their addresses say. A site of files (`moowatch site`) has web/site/place.js in
// place of this module, and all pages as they are.

/** Is this a site of files? Nothing changes there, nothing can be asked for or decided. */
export const isSite = false;

/** Where an address of ours is found; null: not here. */
export const place = (address) => address;

/** The page's own address, as on a server. */
export const here = () => location.pathname;

/** GET an address of the API; as fetch. */
export const answer = (path, options) => fetch("/api/v1" + path, options);

export const events = () => new EventSource("/api/v1/events");

const WIDTH_MIN = 240, WIDTH_MAX = 1600, WIDTH_STEP = 20; // few widths, so that the server's cache can help

/** The width of charts in so much room. */
export const chartWidth = (room) =>
  Math.max(Math.floor(Math.min(room, WIDTH_MAX) / WIDTH_STEP) * WIDTH_STEP, WIDTH_MIN);

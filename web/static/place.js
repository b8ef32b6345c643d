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

/** Where an experiment is asked for of which portions, means and conditions are enough, or projects of which names are:
  a server has no smaller answer. */
export const brief = (path) => path;

export const events = () => new EventSource("/api/v1/events");

/** Shows a chart or a flame graph in an image. */
export function picture(image, address) {
  image.src = address;
}

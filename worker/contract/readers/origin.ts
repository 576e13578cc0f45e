/** Reads the origins of pages. */

/** `new URL` also accepts hosts that no server has, such as `shop.example,`. */
const HOST = /^[\w.[\]:-]+$/;
const HOST_OUTSIDE_ASCII = /[^/:@?#\\\s]*\P{ASCII}[^/:@?#\\\s]*/u;

/**
 * `https://Shop.example:8443` → `https://shop.example:8443`, `https://mağaza.example` → `https://xn--maaza-l1a.example`:
 * as browsers send it. Returns undefined for any other text, such as one with a slash at its end.
 */
export function readOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const {origin, hostname} = new URL(text);
  const written = text.toLowerCase().replace(HOST_OUTSIDE_ASCII, hostname);
  return written === origin && HOST.test(hostname) ? origin : undefined;
}

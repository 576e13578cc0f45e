/** Where an envelope may lead: below one of the platform's base addresses, with headers that have a reason to go there. */

/** The address of a path below a base; null where it would lead out of it, or a server might read it otherwise than we. */
export function addressOf(base: URL, path: string): URL | null {
  if (!/^[/?][^#]*$/.test(path)) return null;
  const text = base.href.replace(/\/$/, '') + path;
  if (!URL.canParse(text)) return null;
  const address = new URL(text);
  // Whatever a parser would mend, such as `/../`, is nothing the Worker sends.
  return address.href === text && !/\/\/|%2f|%5c|%00/i.test(address.pathname) ? address : null;
}

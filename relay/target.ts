/** Where an envelope may lead: below one of the platform's base addresses, with headers that have a reason to go there. */

import type {BaseId} from './envelope.ts';

export type Bases = ReadonlyMap<BaseId, URL>;

/** What the platform's interfaces ask for. Others, such as credentials of mobile billing, are named in RELAY_HEADERS. */
export const HEADERS: readonly string[] = ['accept', 'authorization', 'content-type', 'merchant', 'token'];
/** The connection's own business, and what an edge or a proxy says of the one who asked: never the Worker's to send. */
const RESERVED =
  /^(cf-.*|x-forwarded-.*|x-real-ip|forwarded|via|cdn-loop|true-client-ip|host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|content-length|content-encoding|accept-encoding|upgrade|expect|cookie|user-agent|vezne-.*)$/;

/** Whether an operator may name this header in RELAY_HEADERS. */
export function isSendable(name: string): boolean {
  return /^[a-z0-9-]{1,64}$/.test(name) && !RESERVED.test(name);
}

/** The address of a path below a base; null where it would lead out of it, or a server might read it otherwise than we. */
export function addressOf(base: URL, path: string): URL | null {
  if (!/^[/?][^#]*$/.test(path)) return null;
  const text = base.href.replace(/\/$/, '') + path;
  if (!URL.canParse(text)) return null;
  const address = new URL(text);
  // Whatever a parser would mend, such as `/../`, is nothing the Worker sends.
  return address.href === text && !/\/\/|%2f|%5c|%00/i.test(address.pathname) ? address : null;
}

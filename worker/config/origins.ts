/** The origins of pages that may use the Worker (`ALLOWED_ORIGINS`). */

import {readOrigin} from '../contract/readers/origin.ts';

/**
 * One entry of `ALLOWED_ORIGINS`: an exact origin, or `https://*.shop.example` for all subdomains. With a platform on
 * this machine, all pages of this machine are allowed, too.
 */
export type OriginPattern =
  | {readonly exact: string}
  | {readonly scheme: string; readonly below: string}
  | typeof ALL_LOOPBACK;

/** Every page that this machine serves. A page without an origin of its own (`null`), such as a file, is no such page. */
export const ALL_LOOPBACK = {loopback: true} as const;

/** Parses an entry, whose host may be written in Unicode; null if it has neither form. Plain http is allowed only for loopback. */
export function parseOriginPattern(text: string): OriginPattern | null {
  const scheme = 'https://';
  const named = text.toLowerCase().replace(`${scheme}*.`, `${scheme}any.`);
  const origin = readOrigin(named);
  if (origin === undefined) return null;
  if (named !== text.toLowerCase()) {
    const below = origin.slice(`${scheme}any`.length);
    return /^[a-z0-9.-]+(?::\d+)?$/.test(below) && isOneOwnersDomain(below) ? {scheme, below} : null;
  }
  const url = new URL(origin);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) return null;
  return {exact: origin};
}

/**
 * Suffixes under which anybody can register a name. The list is not complete, because the Worker cannot recognize hosts
 * such as `pages.example` whose owner gives names to strangers.
 */
const SHARED_SUFFIX =
  /^\.(?:[^.]+|(?:ac|av|bbs|bel|biz|co|com|dr|edu|gen|gov|info|k12|kep|mil|name|ne|net|nom|or|org|pol|tel|tsk|tv|web)\.[a-z]{2})$/;

/**
 * Whether all names that end with `below`, such as `.shop.example:8443`, belong to one owner, as far as the Worker can
 * tell.
 */
function isOneOwnersDomain(below: string): boolean {
  const suffix = below.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  return suffix === '.localhost' || !SHARED_SUFFIX.test(suffix);
}

/** Formats an entry as it is written in `ALLOWED_ORIGINS` and in a `frame-ancestors` policy. */
export function formatOriginPattern(pattern: OriginPattern): string {
  if ('loopback' in pattern) return 'http://localhost:* http://127.0.0.1:*';
  return 'exact' in pattern ? pattern.exact : `${pattern.scheme}*${pattern.below}`;
}

export function matchesOrigin(origin: string, patterns: readonly OriginPattern[]): boolean {
  return patterns.some((pattern) => {
    if ('exact' in pattern) return origin === pattern.exact;
    return 'loopback' in pattern ? isLoopbackOrigin(origin) : isSubdomain(origin, pattern);
  });
}

function isLoopbackOrigin(origin: string): boolean {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  return url !== null && url.origin === origin && isLoopback(url);
}

function isSubdomain(origin: string, {scheme, below}: {scheme: string; below: string}): boolean {
  if (!origin.startsWith(scheme) || !origin.endsWith(below)) return false;
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(origin.slice(scheme.length, -below.length));
}

/** Whether an entry allows pages on this machine. */
export function allowsLoopback(pattern: OriginPattern): boolean {
  if ('loopback' in pattern) return true;
  return isLoopback(new URL('exact' in pattern ? pattern.exact : `${pattern.scheme}any${pattern.below}`));
}

const LOOPBACK =
  /^(localhost|.+\.localhost)\.?$|^127(\.\d+){3}$|^0\.0\.0\.0$|^\[::1?\]$|^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/;

/**
 * Whether a URL points to this machine. `0.0.0.0` and `[::]` are addresses for servers to listen on. On systems that
 * can connect to them, the connection reaches this machine.
 */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

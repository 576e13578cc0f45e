/** One entry of `ALLOWED_ORIGINS`: an exact origin, or `https://*.shop.example` for every host below it. */
export type OriginPattern = {readonly exact: string} | {readonly scheme: string; readonly below: string};

/** Parses an entry; null when it is neither form. Plain http is for loopback only. */
export function parseOriginPattern(text: string): OriginPattern | null {
  const wildcard = /^(https):\/\/\*(\.[a-z0-9.-]+(?::\d+)?)$/i.exec(text);
  if (wildcard?.[1] && wildcard[2])
    return {scheme: `${wildcard[1].toLowerCase()}://`, below: wildcard[2].toLowerCase()};
  if (text.includes('*') || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.origin !== text.toLowerCase()) return null;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) return null;
  return {exact: url.origin};
}

/** An entry as it stands in `ALLOWED_ORIGINS`, and in a policy that names who may frame a page. */
export function formatOriginPattern(pattern: OriginPattern): string {
  return 'exact' in pattern ? pattern.exact : `${pattern.scheme}*${pattern.below}`;
}

export function matchesOrigin(origin: string, patterns: readonly OriginPattern[]): boolean {
  return patterns.some((pattern) => ('exact' in pattern ? origin === pattern.exact : isSubdomain(origin, pattern)));
}

function isSubdomain(origin: string, {scheme, below}: {scheme: string; below: string}): boolean {
  if (!origin.startsWith(scheme) || !origin.endsWith(below)) return false;
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(origin.slice(scheme.length, -below.length));
}

/** Whether an entry lets pages of this machine in. */
export function allowsLoopback(pattern: OriginPattern): boolean {
  return isLoopback(new URL('exact' in pattern ? pattern.exact : `${pattern.scheme}any${pattern.below}`));
}

const LOOPBACK =
  /^(localhost|.+\.localhost)\.?$|^127(\.\d+){3}$|^0\.0\.0\.0$|^\[::1?\]$|^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/;

/**
 * Whether an address is this machine's own. `0.0.0.0` and `[::]` are addresses to listen at and not to call; a system
 * that takes them all the same takes them for this machine.
 */
export function isLoopback(url: URL): boolean {
  return LOOPBACK.test(url.hostname);
}

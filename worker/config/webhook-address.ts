/** Checks the URLs of webhooks, for the merchant API, the doctor and `npm run deploy`. */

/**
 * IPv4 networks that are not on the Internet: private, shared, link-local, for examples, tests and relays, multicast and
 * reserved. Its test compares this table and the next with those of `ipaddr.js`.
 */
const PRIVATE_IPV4 =
  /^(0|10|127)\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^192\.(0\.[02]|31\.196|52\.193|88\.99|168|175\.48)\.|^198\.(1[89]|51\.100)\.|^203\.0\.113\.|^(22[4-9]|2[3-5]\d)\./;
/**
 * IPv6 addresses, as the URL parser writes them, outside the global unicast addresses 2000::/3; and those inside that
 * contain an IPv4 address (2001::/32, 2002::/16), or are for protocols (2001::/23, 2620:4f:8000::/48) and examples
 * (2001:db8::/32, 3fff::/20).
 */
const PRIVATE_IPV6 =
  /^\[(?![23][\da-f]{3}:)|^\[2001:([\da-f]{0,2}|1[\da-f]{2}|db8):|^\[(2002|2620:4f:8000|3fff:[\da-f]{0,3}):/;
/** Names that only this machine or local networks resolve. */
const LOCAL_NAME = /^[^.]*$|(^|\.)(local|localhost|internal|lan|home|intranet|localdomain|test|invalid|home\.arpa)$/;

/** Whether a URL points to this machine or to a network that is not the Internet. */
function isLocalAddress(url: URL): boolean {
  const host = url.hostname.replace(/\.+$/, '');
  if (host.startsWith('[')) return PRIVATE_IPV6.test(host);
  return (/^[\d.]+$/.test(host) ? PRIVATE_IPV4 : LOCAL_NAME).test(host);
}

/**
 * Says why the Worker sends no events to this URL; null if the URL is allowed.
 * @param isSandbox - With the sandbox, the receiver may be on this machine or in a local network, and may use plain
 * http.
 */
export function explainWebhookUrl(text: string, isSandbox: boolean): string | null {
  if (!URL.canParse(text)) return 'Expected an absolute URL.';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'The URL must not contain credentials.';
  if (text.includes('#')) return 'The URL must not have a fragment, because a fragment is never sent.';
  const isLocal = isLocalAddress(url);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isSandbox && isLocal))
    return 'Expected a URL that begins with https://.';
  if (isLocal && !isSandbox) return 'The URL points to this machine or to a local network.';
  return null;
}

/** The IP address of a request, and the subnets by which limits count requests. */

/**
 * The subnet by which limits count a request: a single IPv4 address, or an IPv6 /64, which is what one customer has.
 * All requests without a readable address share the subnet `unknown`.
 */
export function clientSubnet(request: Request): string {
  return subnetOf(request.headers.get('cf-connecting-ip') ?? '');
}

/** The subnet of an address by which limits count; `unknown` if the address is unreadable. */
export function subnetOf(address: string): string {
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(address)) return address;
  const groups = ipv6Groups(address);
  if (groups === null) return 'unknown';
  const [high = 0, low = 0] = groups.slice(6);
  // An IPv4-mapped IPv6 address counts as its IPv4 address.
  if (groups.slice(0, 6).join() === '0,0,0,0,0,65535') return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${toText(groups.slice(0, 4))}::/64`;
}

/** The eight groups of an IPv6 address; null if the text is not such an address. The URL parser checks the text. */
function ipv6Groups(address: string): readonly number[] | null {
  const host = /^[\da-f:.]+$/i.test(address) ? URL.parse(`http://[${address}]`)?.hostname : undefined;
  if (host === undefined) return null;
  const [before = [], after = []] = host
    .slice(1, -1)
    .split('::')
    .map((part) => part.split(':').flatMap((group) => (group === '' ? [] : [Number.parseInt(group, 16)])));
  return [...before, ...Array.from({length: 8 - before.length - after.length}, () => 0), ...after];
}

const toText = (groups: readonly number[]) => groups.map((group) => group.toString(16)).join(':');

/**
 * The subnet of one customer's whole network: the IPv4 address itself, or the IPv6 /48 that a customer or tunnel may
 * have.
 */
export function siteSubnet(subnet: string): string {
  return subnet.includes(':') ? `${subnet.split(':').slice(0, 3).join(':')}::/48` : subnet;
}

/** A wider subnet, about as large as one provider's range: an IPv4 /16 or an IPv6 /32. */
export function providerSubnet(subnet: string): string {
  const [first = '', second = ''] = subnet.split(/[.:]/);
  return subnet.includes(':') ? `${first}:${second}::/32` : `${first}.${second}.0.0/16`;
}

/** The visitor's address, as sent to the platform; `0.0.0.0` if it is unknown. */
export function clientIp(request: Request): string {
  return request.headers.get('cf-connecting-ip') ?? '0.0.0.0';
}

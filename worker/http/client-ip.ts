/** Reads the address of a request, and the subnets in which limits count it. */

import ipaddr from 'ipaddr.js';

/**
 * The network a request came from, as limits count it: an IPv4 address, or the /64 an IPv6 customer is given.
 * Requests without a readable address count as one network, `unknown`.
 */
export function clientSubnet(request: Request): string {
  const header = request.headers.get('cf-connecting-ip') ?? '';
  if (!ipaddr.isValid(header)) return 'unknown';
  // `process` turns an IPv4-mapped address into the IPv4 address it stands for.
  const address = ipaddr.process(header);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const groups = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${groups.join(':')}::/64`;
}

/** The site that a network belongs to: an IPv4 address is its own, an IPv6 network belongs to the /48 that a customer or a tunnel may have. */
export function siteSubnet(subnet: string): string {
  return subnet.includes(':') ? `${subnet.split(':').slice(0, 3).join(':')}::/48` : subnet;
}

/** The larger network that one stands in, about what one provider hands out: an IPv4 /16, or an IPv6 /32. */
export function providerSubnet(subnet: string): string {
  const [first = '', second = ''] = subnet.split(/[.:]/);
  return subnet.includes(':') ? `${first}:${second}::/32` : `${first}.${second}.0.0/16`;
}

/** The visitor's address as the platform is told it. */
export function clientIp(request: Request): string {
  return request.headers.get('cf-connecting-ip') ?? '0.0.0.0';
}

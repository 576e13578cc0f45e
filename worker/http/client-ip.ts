/** The IP address of a request, and the subnets by which limits count requests. */

import ipaddr from 'ipaddr.js';

/**
 * The subnet by which limits count a request: a single IPv4 address, or an IPv6 /64, which is what one customer has.
 * All requests without a readable address share the subnet `unknown`.
 */
export function clientSubnet(request: Request): string {
  return subnetOf(request.headers.get('cf-connecting-ip') ?? '');
}

/** The subnet of an address by which limits count; `unknown` if the address is unreadable. */
export function subnetOf(header: string): string {
  if (!ipaddr.isValid(header)) return 'unknown';
  // `process` turns an IPv4-mapped IPv6 address into its IPv4 address.
  const address = ipaddr.process(header);
  if (address instanceof ipaddr.IPv4) return address.toString();
  const groups = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${groups.join(':')}::/64`;
}

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

/** The network a request came from, as limits count it: an IPv4 address, or the /64 an IPv6 customer is given. */
export function networkOf(request: Request): string {
  const address = request.headers.get('cf-connecting-ip') ?? 'unknown';
  if (!address.includes(':') || address.includes('.')) return address.replace(/^::ffff:/i, '');
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const zeros = address.includes('::') ? Array.from({length: 8 - left.length - right.length}, () => '0') : [];
  return `${[...left, ...zeros, ...right].slice(0, 4).map((part) => part.replace(/^0+(?=.)/, '')).join(':')}::/64`;
}

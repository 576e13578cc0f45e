/**
 * `ORDER_PREFIX`: what order numbers have in front at the platform, so that several shops or environments of a merchant
 * can use the same numbers. The client adds it to each call, and removes it from each reply and notification, so that
 * nothing else knows of it.
 */

/** Fields of a call that contain an order number. In replies, `order` is the platform's order code. */
const SENT: readonly string[] = ['order', 'referenceCode'];
/** Fields of a reply, in any record, that contain an order number. */
const READ: ReadonlySet<string> = new Set(['order_refno', 'referenceCode']);

/** The call's fields as the platform gets them. */
export function withPrefix<T extends Readonly<Record<string, unknown>>>(prefix: string, input: T): T {
  const sent = SENT.flatMap((name) => (typeof input[name] === 'string' ? [[name, prefix + input[name]] as const] : []));
  return sent.length > 0 && prefix !== '' ? {...input, ...Object.fromEntries(sent)} : input;
}

/** The merchant's number of an order; null if the order belongs to another shop or environment. */
export function withoutPrefix(prefix: string, number: string): string | null {
  return number.startsWith(prefix) && number.length > prefix.length ? number.slice(prefix.length) : null;
}

/** A reply with the merchant's numbers, or with null for the orders of other shops and environments. */
export function replyWithoutPrefix(prefix: string, reply: unknown): unknown {
  if (prefix === '' || typeof reply !== 'object' || reply === null) return reply;
  if (Array.isArray(reply)) return reply.map((each: unknown) => replyWithoutPrefix(prefix, each));
  const fields = Object.entries(reply).map(([name, value]: [string, unknown]) => [
    name,
    READ.has(name) && typeof value === 'string' ? withoutPrefix(prefix, value) : replyWithoutPrefix(prefix, value),
  ]);
  return Object.fromEntries(fields) as unknown;
}

/**
 * The `key` of the common payment page's token. The spec does not show how it is built, so the recipe is
 * configuration: `md5(merchantId serviceId … secret)`, the fields whose texts are joined without a separator.
 */

import {digest} from '../lib/crypto.ts';

export interface PaymentPageRecipe {
  readonly algorithm: 'MD5' | 'SHA-256';
  /** Names of fields, and `secret`. */
  readonly parts: readonly string[];
}

export const DEFAULT_RECIPE = 'md5(merchantId serviceId referenceCode item price successUrl failureUrl secret)';

const PARTS = new Set([
  'merchantId',
  'serviceId',
  'referenceCode',
  'item',
  'price',
  'successUrl',
  'failureUrl',
  'secret',
]);

/** Null when the text is no recipe, names an unknown field or leaves the secret out. */
export function parseRecipe(text: string): PaymentPageRecipe | null {
  const [, name, list = ''] = /^(md5|sha256)\(([A-Za-z ]+)\)$/.exec(text.trim()) ?? [];
  const parts = list.split(/\s+/).filter(Boolean);
  if (!name || !parts.includes('secret') || !parts.every((part) => PARTS.has(part))) return null;
  return {algorithm: name === 'md5' ? 'MD5' : 'SHA-256', parts};
}

export function paymentPageKey(
  {algorithm, parts}: PaymentPageRecipe,
  fields: Readonly<Record<string, unknown>>,
  secret: string,
): Promise<string> {
  return digest(algorithm, parts.map((part) => (part === 'secret' ? secret : String(fields[part] ?? ''))).join(''));
}

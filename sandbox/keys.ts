/** The keys that authenticate calls and notifications, each an MD5 of several fields. */

import type {Config} from './config.ts';
import type {Reading} from './records/readings.ts';

/**
 * Returns the MD5 of the parts in lowercase hex. The parts are UTF-8 text, joined without separators. The platform
 * computes every key in this way.
 */
export async function md5(...parts: readonly (string | number)[]): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('MD5', new TextEncoder().encode(parts.join(''))));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The key that a merchant sends to get a token: the MD5 of merchant id, the server's IP address and merchant key
 * (orders.md 5).
 */
export function tokenKey({
  merchantId,
  merchantIp,
  merchantKey,
}: Pick<Config, 'merchantId' | 'merchantIp' | 'merchantKey'>): Promise<string> {
  return md5(merchantId, merchantIp, merchantKey);
}

/** The fields from which the key of a payment page is computed, in this order (observed.md, "Keys"). */
export const PAGE_KEY_FIELDS = [
  'merchantId',
  'serviceId',
  'referenceCode',
  'item',
  'price',
  'successUrl',
  'failureUrl',
] as const;

export type PageKeyFields = Readonly<Record<(typeof PAGE_KEY_FIELDS)[number], string>>;

/** The key of a payment page. The price must be exactly the text that the merchant sent. */
export async function pageKey(
  fields: PageKeyFields,
  {paymentPageSecret}: Pick<Config, 'paymentPageSecret'>,
  reading: Reading<'payment_page_key'> = 'md5',
): Promise<string> {
  const values = PAGE_KEY_FIELDS.map((name) => fields[name]);
  if (reading === 'md5') return md5(...values, paymentPageSecret);
  const encoder = new TextEncoder();
  const algorithm = {name: 'HMAC', hash: 'SHA-256'};
  const key = await crypto.subtle.importKey('raw', encoder.encode(paymentPageSecret), algorithm, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, encoder.encode(values.join('|')));
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}

export interface PaymentKeyFields {
  readonly txid: number;
  readonly code: string;
  readonly order: string;
  /** Decimal text, exactly as it is sent. */
  readonly amount: string;
}

/** The key of a payment notification. Test vectors are in observed.md, "Notifications". */
export function paymentKey(
  serviceCode: string,
  merchantId: number,
  {txid, code, order, amount}: PaymentKeyFields,
  merchantPrivateKey: string,
  servicePrivateKey: string,
): Promise<string> {
  return md5(serviceCode, merchantId, txid, code, order, amount, merchantPrivateKey, servicePrivateKey);
}

export interface RefundKeyFields {
  readonly refund_id: number;
  readonly code: string;
  readonly order: string;
  /** Decimal text. */
  readonly amount: string;
  readonly bank_code: string;
}

/** The key of a refund result (orders.md 6). A test vector is in observed.md, "Keys". */
export function refundKey(
  serviceCode: string,
  merchantId: number,
  {refund_id, code, order, amount, bank_code}: RefundKeyFields,
  merchantPrivateKey: string,
  servicePrivateKey: string,
): Promise<string> {
  return md5(serviceCode, merchantId, refund_id, code, order, amount, bank_code, merchantPrivateKey, servicePrivateKey);
}

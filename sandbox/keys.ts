/** The keys that authenticate calls and notifications, each an MD5 of several fields. */

import type {Config} from './config.ts';

/** Lowercase hex MD5 of the parts in UTF-8, joined without separators. The platform makes every key this way. */
export async function md5(...parts: readonly (string | number)[]): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('MD5', new TextEncoder().encode(parts.join(''))));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The key that a merchant sends to get a token: made of merchant id, server address and merchant key (orders 5). */
export function tokenKey({
  merchantId,
  merchantIp,
  merchantKey,
}: Pick<Config, 'merchantId' | 'merchantIp' | 'merchantKey'>): Promise<string> {
  return md5(merchantId, merchantIp, merchantKey);
}

/** The fields that the key of a payment page is made of, in this order (observed, "Keys"). */
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

/** The key of a payment page. The price must be the text that the merchant sent. */
export function pageKey(
  fields: PageKeyFields,
  {paymentPageSecret}: Pick<Config, 'paymentPageSecret'>,
): Promise<string> {
  return md5(...PAGE_KEY_FIELDS.map((name) => fields[name]), paymentPageSecret);
}

export interface PaymentKeyFields {
  readonly txid: number;
  readonly code: string;
  readonly order: string;
  /** Decimal text, exactly as it is sent. */
  readonly amount: string;
}

/** The key of a payment notification (observed, "Notifications", with test vectors). */
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

/** The key of a refund result (orders 6; test vector in observed, "Keys"). */
export function refundKey(
  serviceCode: string,
  merchantId: number,
  {refund_id, code, order, amount, bank_code}: RefundKeyFields,
  merchantPrivateKey: string,
  servicePrivateKey: string,
): Promise<string> {
  return md5(serviceCode, merchantId, refund_id, code, order, amount, bank_code, merchantPrivateKey, servicePrivateKey);
}

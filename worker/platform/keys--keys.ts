import {digest} from '../lib/crypto.ts';

/** Orders 5: lowercase hex MD5 of merchant id, IP of the merchant's server and merchant key, in UTF-8. */
export function tokenKey(merchant: {readonly id: string; readonly ip: string; readonly key: string}): Promise<string> {
  return digest('MD5', merchant.id + merchant.ip + merchant.key);
}

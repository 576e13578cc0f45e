/**
 * Names that nobody can guess, which only links have: of bills (`/p/<id>.<end>`) and refunds (`/r/<end>`). The end has
 * 30 characters: 96 random bits, and 84 bits of an HMAC of what is before them. Therefore an isolate that has the key
 * (`Offers.linkKey`) recognizes an invented name by itself.
 */

import {hmacBytes, isSameSecret, toBase64Url} from './crypto.ts';

/** 16 characters. */
export const RANDOM_BYTES = 12;
const MAC_LENGTH = 14;

/** What follows `/r/` in the address of a refund link. */
export const REFUND_TOKEN = /^[\w-]{30}$/;
/** What follows `/p/` in the address of a bill. The random part of a bill of an earlier build is longer. */
export const BILL_NAME = /^[\w-]{1,40}\.[\w-]{30,}$/;

/** The name that begins with this text. */
export async function sealName(key: string, text: string): Promise<string> {
  return text + toBase64Url(await hmacBytes('SHA-256', key, text)).slice(0, MAC_LENGTH);
}

/** The text with which the name begins; null if the name was invented. */
export async function openName(key: string, name: string): Promise<string | null> {
  const text = name.slice(0, -MAC_LENGTH);
  return isSameSecret(name, await sealName(key, text)) ? text : null;
}

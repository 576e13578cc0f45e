/**
 * The text of an API key: a prefix that scanners for leaked secrets recognize, the key's id, a secret of 160 random
 * bits, and a checksum that anybody can compute. If the checksum is wrong, the key is mistyped or invented, and the
 * Worker refuses it without reading the stored keys.
 */

import {digest, randomText} from '../../lib/crypto.ts';

const PREFIX = 'vezne_sk_';
const ID_LENGTH = 12;
const SECRET_LENGTH = 32;
/** The checksum is the first eight hexadecimal digits of the SHA-256 of everything before the checksum. */
const CHECKSUM_LENGTH = 8;

const SHAPE = /^vezne_sk_([0-9A-HJKMNP-TV-Z]{12})[0-9A-HJKMNP-TV-Z]{32}[0-9a-f]{8}$/;

export interface KeyIdentity {
  /** `key_` and twelve letters or digits. The id is not secret. */
  readonly id: string;
  /** SHA-256 of the whole key, in hexadecimal. The secret in the key is random, so the digest needs no salt. */
  readonly digest: string;
}

export interface NewKey extends KeyIdentity {
  /** The key itself. It is shown once and stored nowhere. */
  readonly text: string;
}

export async function makeKey(): Promise<NewKey> {
  const id = randomText(ID_LENGTH);
  const unchecked = `${PREFIX}${id}${randomText(SECRET_LENGTH)}`;
  const text = unchecked + (await checksumOf(unchecked));
  return {id: `key_${id}`, text, digest: await digest('SHA-256', text)};
}

/** Returns null if the text does not have the shape of a key, or if its checksum is wrong. */
export async function identifyKey(text: string): Promise<KeyIdentity | null> {
  const id = SHAPE.exec(text)?.[1];
  if (id === undefined) return null;
  if ((await checksumOf(text.slice(0, -CHECKSUM_LENGTH))) !== text.slice(-CHECKSUM_LENGTH)) return null;
  return {id: `key_${id}`, digest: await digest('SHA-256', text)};
}

async function checksumOf(text: string): Promise<string> {
  return (await digest('SHA-256', text)).slice(0, CHECKSUM_LENGTH);
}

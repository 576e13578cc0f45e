/** Turkish mobile numbers. In code they have ten digits, of which the first is 5; people write them in many forms. */

/** Reads `"0532 123 45 67"`, `"+90 (532) 123-4567"` and similar as `"5321234567"`. Returns null for anything else. */
export function parseMsisdn(text: string): string | null {
  const digits = text.normalize('NFKC').replace(/[\s().\-/]/g, '');
  return /^(?:\+90|0090|90|0)?(5\d{9})$/.exec(digits)?.[1] ?? null;
}

/**
 * Reads a Turkish mobile number as ten digits, and a number of another country as `"+4915112345678"`. Returns null for
 * anything else, such as a Turkish number that is not mobile.
 */
export function parsePhone(text: string): string | null {
  const number = text.normalize('NFKC').replace(/[\s().\-/]/g, '');
  return parseMsisdn(text) ?? (/^\+(?!90)[1-9]\d{6,14}$/.test(number) ? number : null);
}

/**
 * Masks a number as `"532*****67"`: enough for its owner to recognize it. A number of ten characters that is already
 * masked this way stays the same. Returns null for anything else.
 */
export function maskMsisdn(msisdn: string): string | null {
  if (!/^5[\d*]{9}$/.test(msisdn)) return null;
  return `${msisdn.slice(0, 3)}*****${msisdn.slice(8)}`;
}

/** Returns a copy of the record with its number masked. A number that cannot be masked becomes null. */
export function withMaskedMsisdn<T extends {readonly msisdn: string | null}>(record: T): T {
  const {msisdn} = record;
  return {...record, msisdn: msisdn === null ? null : maskMsisdn(parseMsisdn(msisdn) ?? msisdn)};
}

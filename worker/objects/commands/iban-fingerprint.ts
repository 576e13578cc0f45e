/**
 * Fingerprints of IBANs. A command stores the fingerprint and not the IBAN. The fingerprint is an HMAC, because an
 * attacker could find the IBAN of a plain digest by trying all account numbers of a bank.
 */

import {hmac} from '../../lib/crypto.ts';

/** @param secret - The current session secret. The result names the secret, because the secret may be rotated. */
export async function fingerprintIban(iban: string, secret: string): Promise<string> {
  return fingerprint(`iban ${digitsOf(iban)}`, secret);
}

/** The HMAC of a text, with the name of the secret. */
export async function fingerprint(text: string, secret: string): Promise<string> {
  return `${await keyIdOf(secret)}:${await hmac(secret, text)}`;
}

/**
 * Whether `actual` is a complete Turkish IBAN that differs from the fingerprinted IBAN. The result is false if `actual`
 * is masked or foreign, or if the secret of the fingerprint is gone: in case of doubt, the Worker must not conclude
 * that a refund was not made.
 * @param secrets - The current and the previous session secret.
 */
export async function contradictsIban(
  actual: string | null,
  known: string,
  secrets: readonly string[],
): Promise<boolean> {
  if (actual === null || digitsOf(actual).length !== IBAN_DIGITS) return false;
  for (const secret of secrets)
    if (known.startsWith(`${await keyIdOf(secret)}:`)) return (await fingerprintIban(actual, secret)) !== known;
  return false;
}

const IBAN_DIGITS = 24;

/** Returns only the digits, because spaces and the country letters are written in different ways. */
function digitsOf(iban: string): string {
  return iban.replace(/\D/g, '');
}

async function keyIdOf(secret: string): Promise<string> {
  return (await hmac(secret, 'iban fingerprint')).slice(0, 8);
}

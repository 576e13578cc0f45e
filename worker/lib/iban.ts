/** Turkish IBANs. Each names an account to which a merchant sends money. */

/** `TR`, two check digits and 22 further digits, with spaces anywhere between them. */
export const IBAN_SHAPE = /^\s*T\s*R(?:\s*\d){24}\s*$/i;

/** Removes the spaces, and writes the country in capital letters. */
export function normalizeIban(text: string): string {
  return text.replace(/\s/g, '').toUpperCase();
}

/**
 * Whether the check digits of a text with the shape of a Turkish IBAN are correct (ISO 13616). To check them, the
 * country and the check digits are moved to the end, and each letter becomes a number. The resulting number must leave
 * the remainder 1 when divided by 97.
 */
export function hasCorrectCheckDigits(text: string): boolean {
  const iban = normalizeIban(text);
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  let remainder = 0;
  for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % 97;
  return remainder === 1;
}

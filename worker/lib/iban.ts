/** IBANs (ISO 13616). Each names an account to which a merchant sends money. */

/**
 * A country, two check digits and 11 to 30 letters or digits, in Turkey 22 digits. Spaces may be anywhere. How long the
 * IBANs of other countries are is not checked.
 */
export const IBAN_SHAPE =
  /^\s*(?:[Tt]\s*[Rr](?:\s*\d){24}|(?![Tt]\s*[Rr])[A-Za-z]\s*[A-Za-z](?:\s*\d){2}(?:\s*[A-Za-z\d]){11,30})\s*$/;

/** Removes the spaces, and writes the country in capital letters. */
export function normalizeIban(text: string): string {
  return text.replace(/\s/g, '').toUpperCase();
}

/**
 * Whether the check digits of a text with the shape of an IBAN are correct. To check them, the country and the check digits are moved to the end, and each letter becomes a number. The resulting number must leave
 * the remainder 1 when divided by 97.
 */
export function hasCorrectCheckDigits(text: string): boolean {
  const iban = normalizeIban(text);
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  let remainder = 0;
  for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % 97;
  return remainder === 1;
}

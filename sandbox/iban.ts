const COUNTRY = 'TR';

/** A Turkish IBAN: check digits, five-digit bank number, a reserved 0, sixteen digits of branch and account. */
export function makeIban(bankNo: string, branchNo: string, accountNo: string): string {
  const account = `${bankNo}0${branchNo}${accountNo.padStart(16 - branchNo.length, '0')}`;
  const checkDigits = String(98n - (BigInt(`${account}${lettersToDigits(COUNTRY)}00`) % 97n)).padStart(2, '0');
  return `${COUNTRY}${checkDigits}${account}`;
}

/** True where the check digits of an IBAN of any country are right. */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false;
  return BigInt(lettersToDigits(text.slice(4) + text.slice(0, 4))) % 97n === 1n;
}

/** A = 10 … Z = 35 (ISO 13616). */
function lettersToDigits(letters: string): string {
  return letters.replace(/[A-Z]/g, (letter) => String(parseInt(letter, 36)));
}

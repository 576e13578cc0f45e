/** Shows IBANs. */

/** `TR33 0006 1005 …` */
export function groupedIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, '$1 ');
}

/** `TR33 •••• 1326` */
export function maskedIban(iban: string): string {
  return `${iban.slice(0, 4)}\u00a0••••\u00a0${iban.slice(-4)}`;
}

/** Turkish mobile numbers as people write them. */

/** Without spaces, dashes and marks that nobody sees; digits of Arabic script as ours. */
export function plainDigits(written: string): string {
  return written.replace(/[\s\p{Cf}\p{Pd}]/gu, '').replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
}

/** `0532 123 45 67`, `+90 (532) 123 45 67`, `00905321234567` → `5321234567`; nothing where it is no such number. */
export function readMsisdn(written: string): string | undefined {
  const digits = plainDigits(written).replace(/[()./]/g, '');
  return /^(?:(?:\+|00)?90|0)?(5\d{9})$/.exec(digits)?.[1];
}

/** `5321234567` → `0532 123 45 67`, masked ones too. */
export function groupMsisdn(msisdn: string): string {
  return `0${msisdn}`.replace(/^(.{4})(.{3})(.{2})(.*)$/, '$1 $2 $3 $4');
}

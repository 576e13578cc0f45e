/** Turkish mobile numbers: ten digits beginning with 5 inside, and whatever people write outside. */

/** `"0532 123 45 67"`, `"+90 (532) 123-4567"` and the like as `"5321234567"`; null for what is none. */
export function parseMsisdn(text: string): string | null {
  const digits = text.normalize('NFKC').replace(/[\s().\-/]/g, '');
  return /^(?:\+90|0090|90|0)?(5\d{9})$/.exec(digits)?.[1] ?? null;
}

/** `"532*****67"`: enough for its owner to know it again. What has been masked already stays as it is, if it is ten characters. */
export function maskMsisdn(msisdn: string): string | null {
  if (!/^5[\d*]{9}$/.test(msisdn)) return null;
  return `${msisdn.slice(0, 3)}*****${msisdn.slice(8)}`;
}

/** Addresses of pages as they may be told on: without what says who somebody is or lets others act for them. */

/** Names of parameters whose values are numbers, PINs, tokens or names of people, whatever they look like. */
const PRIVATE_NAME =
  /msisdn|gsm|phone|telefon|^tel$|^cep|number|numara|pin\b|^pin|otp|sifre|şifre|pass|token|session|auth|secret|signature|e-?mail|e-?posta|iban|tckn|^tc(_?no)?$/i;
/** A Turkish mobile number, however it begins. */
const MOBILE_NUMBER = /(?:(?:\+|00)?90|0)?5\d{9}(?!\d)/;
/** Names of parameters that may well be a PIN, and where they are not, hold something else than as many digits. */
const CODE_NAME =
  /^(code|kod|onay|dogrulama|doğrulama)([_-]?(code|kod|kodu))?$|(onay|dogrulama|doğrulama|sms|confirm\w*|verif\w*)[_-]?(code|kodu?)$/i;
const CODE_VALUE = /^\d{4,8}$/;
/**
 * Long digits (identity, card and account numbers, number tokens), signed tokens, IBANs and e-mail addresses. A network may
 * call its number token anything, and some have nine digits; an advertisement's number of as many goes with them.
 */
const PRIVATE_VALUE = /\d{9,}|^ey[\w-]+\.[\w-]+|^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$|[^\s@]+@[^\s@]+\.[^\s@]+/i;
const REDACTED = '-';

/**
 * The address without fragment and credentials, with a dash in place of what is private. Anything that is no
 * web address becomes a dash altogether.
 */
export function redactUrl(address: string): string {
  if (!URL.canParse(address)) return REDACTED;
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return REDACTED;
  url.hash = '';
  url.username = '';
  url.password = '';
  // A copy: what is replaced moves in what is walked.
  const parameters = [...url.searchParams];
  for (const [name, value] of parameters) {
    if (PRIVATE_NAME.test(name) || (CODE_NAME.test(name) && CODE_VALUE.test(value.trim())) || isPrivate(value))
      url.searchParams.set(name, REDACTED);
  }
  url.pathname = url.pathname
    .split('/')
    .map((segment) => (isPrivate(decode(segment)) ? REDACTED : segment))
    .join('/');
  return url.href;
}

function isPrivate(value: string): boolean {
  return MOBILE_NUMBER.test(value.replace(/[\s().-]/g, '')) || PRIVATE_VALUE.test(value);
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

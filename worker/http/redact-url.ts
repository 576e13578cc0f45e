import {compactText} from '../contract/readers/characters.ts';
import {BILL_NAME, REFUND_TOKEN} from '../lib/link-name.ts';

/**
 * Redacts page URLs before they leave the Worker: removes personal data, and secrets that let others act for a person.
 */

/** Names of parameters whose values are always redacted: phone numbers, PINs, tokens and other private data. */
const PRIVATE_NAME =
  /msisdn|gsm|phone|telefon|^tel$|^cep|number|numara|pin\b|^pin|otp|sifre|şifre|pass|token|session|auth|secret|signature|e-?mail|e-?posta|iban|tckn|^tc(_?no)?$/i;
/** Whole names of parameters whose values describe a person, or let others act for a person. */
const PRIVATE_WORD =
  /^(?:(?:first|last|full|user|customer|given|family)?[_-]?name|adi?|soyadi?|soyadı|isim|adı|ad[_-]?soyadi?|musteri\w*|müşteri\w*|kullanici\w*|kullanıcı\w*|user|login|address?|adres\w*|birth\w*|dob|dogum\w*|doğum\w*|plaka|ticket|nonce|state|key|api[_-]?key|sig|jwt|sid|assertion|samlresponse)$/i;
/** Matches a value of `ad` or `state` that is the id of an advertisement or of a region, and not a name or a secret. */
const SHORT_ID = /^\d{0,8}$/;
/** A Turkish mobile number, with any prefix. */
const MOBILE_NUMBER = /(?:(?:\+|00)?90|0)?5\d{9}(?!\d)/;
/**
 * Names of parameters that may hold a PIN or the code of a login, but also the code of a discount. Their values are
 * redacted only if they look like a PIN or the code of a login (`CODE_VALUE`).
 */
const CODE_NAME =
  /^(code|kod|onay|dogrulama|doğrulama)([_-]?(code|kod|kodu))?$|(onay|dogrulama|doğrulama|sms|confirm\w*|verif\w*)[_-]?(code|kodu?)$/i;
const CODE_VALUE = /^\d{4,8}$|^.{16,}$/;
/**
 * Values with nine or more digits in a row (identity, card and account numbers, number tokens), signed tokens, IBANs
 * and e-mail addresses. A mobile network may use any parameter name for its number token, and some tokens have nine
 * digits. Advertisement ids of nine digits are therefore redacted too.
 */
const PRIVATE_VALUE = /\d{9,}|^ey[\w-]+\.[\w-]+|^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$|[^\s@]+@[^\s@]+\.[^\s@]+/i;
const REDACTED = '-';

/**
 * Returns the URL without fragment and credentials, and with a dash in place of each private value. Anything that is
 * not an http or https URL becomes a single dash.
 */
export function redactUrl(address: string): string {
  if (!URL.canParse(address)) return REDACTED;
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return REDACTED;
  url.hash = '';
  url.username = '';
  url.password = '';
  // A copy, because `set` changes the list during the iteration.
  const parameters = [...url.searchParams];
  for (const [name, value] of parameters) {
    if (
      PRIVATE_NAME.test(name) ||
      (PRIVATE_WORD.test(name) && !SHORT_ID.test(value)) ||
      (CODE_NAME.test(name) && CODE_VALUE.test(value.trim())) ||
      isPrivate(value)
    )
      url.searchParams.set(name, REDACTED);
  }
  url.pathname = url.pathname
    .split('/')
    .map((segment, index, all) =>
      isPrivate(decode(segment)) || (all[index - 1] === 'r' && REFUND_TOKEN.test(segment)) ? REDACTED : segment,
    )
    .join('/');
  return url.href;
}

function isPrivate(value: string): boolean {
  return (
    MOBILE_NUMBER.test(compactText(value).replace(/[().]/g, '')) || PRIVATE_VALUE.test(value) || BILL_NAME.test(value)
  );
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

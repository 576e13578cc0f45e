/** Searches text for the secrets of a configuration: as plain text, in hex, in base64 and hashed. */

type Algorithm = 'md5' | 'sha1' | 'sha256';

/** Returns the hash in lowercase hex. */
export type Hash = (algorithm: Algorithm, text: string) => string | Promise<string>;

interface SearchTerm {
  /** What was found, for the report: the name of the secret and its form. */
  readonly what: string;
  readonly text: string;
}

/** A shorter secret is not searched for, because it could occur by chance. */
const MIN_LENGTH = 8;

export class SecretScanner {
  readonly #terms: readonly SearchTerm[];

  private constructor(terms: readonly SearchTerm[]) {
    this.#terms = terms;
  }

  /** @param secrets - The secrets by name. Each value inside a JSON object counts as a secret. */
  static async of(secrets: Readonly<Record<string, string>>, hash: Hash): Promise<SecretScanner> {
    const values = Object.entries(secrets).flatMap(([name, value]) =>
      valuesIn(value).map((secret) => ({name, secret})),
    );
    return new SecretScanner(
      (await Promise.all(values.map(({name, secret}) => searchTermsOf(name, secret, hash)))).flat(),
    );
  }

  /** The names of the secrets in the text, such as `SESSION_SECRET in base64`. */
  findIn(text: string): string[] {
    return [...new Set(this.#terms.filter((term) => text.includes(term.text)).map(({what}) => what))];
  }
}

function valuesIn(value: string): string[] {
  if (!value.startsWith('{')) return value.length < MIN_LENGTH ? [] : [value];
  return Object.values(JSON.parse(value) as Record<string, unknown>).flatMap((inner) =>
    valuesIn(typeof inner === 'string' ? inner : JSON.stringify(inner)),
  );
}

async function searchTermsOf(name: string, secret: string, hash: Hash): Promise<SearchTerm[]> {
  const hashes = await Promise.all(
    (['md5', 'sha1', 'sha256'] as const).map(async (algorithm) => {
      const hex = await hash(algorithm, secret);
      return [...inHex(hex), ...inBase64(String.fromCharCode(...fromHex(hex)))].map((text) => ({
        what: `${name} as ${algorithm}`,
        text,
      }));
    }),
  );
  return [
    ...[secret, encodeURIComponent(secret)].map((text) => ({what: name, text})),
    ...inHex(toHex(secret)).map((text) => ({what: `${name} in hex`, text})),
    ...inBase64(secret).map((text) => ({what: `${name} in base64`, text})),
    ...hashes.flat(),
  ];
}

const inHex = (hex: string): string[] => [hex, hex.toUpperCase()];

const toHex = (letters: string): string =>
  Array.from(letters, (letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('');
const fromHex = (hex: string): number[] => (hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));

/**
 * The base64 and base64url forms of a text inside a longer encoded text. There are three of each, because the form
 * depends on the number of bytes before the text. Characters that also encode neighboring bytes are left out.
 */
function inBase64(letters: string): string[] {
  const aligned = [0, 1, 2].map((before) =>
    btoa('\0'.repeat(before) + letters).slice(
      Math.ceil((before * 8) / 6),
      Math.floor(((before + letters.length) * 8) / 6),
    ),
  );
  return [...aligned, ...aligned.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))];
}

/** Patterns of the personal data in these tests. */
export const PERSONAL_DATA: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['an IBAN', /TR\d{24}/],
  // The end of a random id can be all digits and then looks like a mobile number.
  ['a mobile number', /(?<!-[\da-f]{4}-)\b(?:90|0)?5\d{9}\b/],
  ['a name', /Ayşe|Yılmaz|Deniz Örnek/],
  ['an e-mail address', /deniz@/i],
  ['an address', /Çiçek Sokak/],
];

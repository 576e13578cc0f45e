/** Counts the parts of a body while its bytes arrive, so that the Worker never parses a body with too many of them. */

/** Maximum fields per record. The platform sends about ten. */
const MAX_FIELDS = 24;
/** Maximum objects and arrays around the records, both nested and in total. */
const MAX_WRAPPERS = 8;
/**
 * Maximum number of different field names. Each object or array may add one name, because a wrapping object may use the
 * numbers of the records as names. Objects whose names are all different are ten times as expensive to parse as
 * records.
 */
const MAX_NAMES = 64;
/** Names up to this length in bytes are compared. Each longer name counts as a new name. */
const MAX_NAME_LENGTH = 64;
/** Maximum records in a form or query. The platform sends more records only as JSON. */
const MAX_FORM_RECORDS = 500;
/** Characters that are encoded and counted at a time. */
const CHUNK_LENGTH = 16_384;

const [TAB, NEWLINE, RETURN, SPACE, QUOTE, BACKSLASH, COMMA, COLON, AMPERSAND] = [9, 10, 13, 32, 34, 92, 44, 58, 38];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [91, 93, 123, 125];
/** The bytes of a byte order mark. */
const BYTE_ORDER_MARK: ReadonlySet<number> = new Set([0xef, 0xbb, 0xbf]);

/** An odd number, different in each isolate, so that nobody can make names with equal hashes. */
let hashFactor = 0;

/** The result for the bytes so far: they fit, they have too many parts, or they cannot be records. */
export type PartsResult = 'fit' | 'too-many' | 'no-records';

export class PartCounter {
  #form: 'unknown' | 'json' | 'other' = 'unknown';
  #inText = false;
  #isEscaped = false;
  #depth = 0;
  /** Number of objects and arrays so far. */
  #opened = 0;
  /** Number of commas (JSON) or ampersands (form) so far. */
  #separators = 0;
  /** Hash and length of the current or last string. */
  #hash = 0;
  #length = 0;
  /** Hashes of the names so far, and the number of long names. */
  readonly #names = new Set<number>();
  #longNames = 0;

  /** @param records - Maximum records in the body. */
  constructor(private readonly records: number) {}

  /** Counts the next bytes of the body. */
  count(bytes: Uint8Array): PartsResult {
    let start = 0;
    if (this.#form === 'unknown') {
      while (start < bytes.length && isBlank(bytes[start] as number)) start += 1;
      if (start === bytes.length) return 'fit';
      const first = bytes[start];
      this.#form = first === OPEN_BRACE || first === OPEN_BRACKET ? 'json' : 'other';
    }
    return this.#form === 'json' ? this.#countJson(bytes, start) : this.#countForm(bytes, start);
  }

  #countForm(bytes: Uint8Array, start: number): PartsResult {
    const maxSeparators = MAX_FIELDS * Math.min(this.records, MAX_FORM_RECORDS);
    for (let at = bytes.indexOf(AMPERSAND, start); at !== -1; at = bytes.indexOf(AMPERSAND, at + 1)) {
      this.#separators += 1;
      if (this.#separators > maxSeparators) return 'too-many';
    }
    return 'fit';
  }

  /** Ignores the content of strings that are not names, because it does not make parsing more expensive. */
  #countJson(bytes: Uint8Array, start: number): PartsResult {
    // Random numbers are not available before the first request of an isolate.
    hashFactor ||= (crypto.getRandomValues(new Uint32Array(1))[0] as number) | 1;
    let [inText, isEscaped, depth, opened, commas] = [
      this.#inText,
      this.#isEscaped,
      this.#depth,
      this.#opened,
      this.#separators,
    ];
    let [hash, length] = [this.#hash, this.#length];
    const maxOpened = this.records + MAX_WRAPPERS;
    for (let at = start; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (inText) {
        hash = Math.imul(hash ^ (byte as number), hashFactor);
        hash ^= hash >>> 15;
        length += 1;
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) inText = false;
      } else if (byte === QUOTE) {
        inText = true;
        [hash, length] = [0, 0];
      } else if (byte === COLON) {
        if (length <= MAX_NAME_LENGTH) this.#names.add(hash);
        else this.#longNames += 1;
        if (this.#names.size + this.#longNames > MAX_NAMES + opened) return 'too-many';
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        [opened, depth] = [opened + 1, depth + 1];
        if (depth > MAX_WRAPPERS) return 'no-records';
        if (opened > maxOpened) return 'too-many';
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        depth -= 1;
      } else if (byte === COMMA) {
        commas += 1;
        // A record's opening brace arrives before its fields, so this check is correct for incomplete bodies too.
        if (commas > MAX_FIELDS * opened) return 'too-many';
      }
    }
    [this.#inText, this.#isEscaped, this.#depth, this.#opened, this.#separators] = [
      inText,
      isEscaped,
      depth,
      opened,
      commas,
    ];
    [this.#hash, this.#length] = [hash, length];
    return 'fit';
  }
}

/** Counts the parts of a complete text. */
export function countParts(text: string, records: number): PartsResult {
  const [counter, encoder] = [new PartCounter(records), new TextEncoder()];
  for (let at = 0; at < text.length; at += CHUNK_LENGTH) {
    // A chunk may split a surrogate pair, but the counted characters are all ASCII.
    const parts = counter.count(encoder.encode(text.slice(at, at + CHUNK_LENGTH)));
    if (parts !== 'fit') return parts;
  }
  return 'fit';
}

function isBlank(byte: number): boolean {
  return byte === SPACE || byte === TAB || byte === NEWLINE || byte === RETURN || BYTE_ORDER_MARK.has(byte);
}

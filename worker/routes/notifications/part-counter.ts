/**
 * Counts the parts of a body, so that the Worker never parses a body with too many of them: two megabytes of objects
 * whose names are all different take seconds to parse.
 */

/** Maximum fields per record. The platform sends about ten. */
const MAX_FIELDS = 24;
/** Maximum objects and arrays around the records, both nested and in total. */
const MAX_WRAPPERS = 8;
/**
 * Maximum number of different field names. Each object or array may add one name, because a wrapping object may use the
 * numbers of the records as names.
 */
const MAX_NAMES = 64;
/** Names up to this length are compared. Each longer name counts as a new name. */
const MAX_NAME_LENGTH = 64;
/** Maximum records in a form or query. The platform sends more records only as JSON. */
const MAX_FORM_RECORDS = 500;

/** Whether a text has few enough parts to be parsed, or cannot be records. */
export type PartsResult = 'fit' | 'too-many' | 'no-records';

const [SPACE, OPEN_BRACKET, OPEN_BRACE, FIRST_NON_ASCII] = [32, 91, 123, 128];

/**
 * Counts the objects and arrays that open in a body that is still arriving, because a body with too many of them would
 * need more memory than `test/faults/large-notifications.test.ts` allows before it is complete. A form has none: the brackets in it belong to
 * the names of its fields, whatever their number.
 */
export class OpeningCounter {
  readonly #max: number;
  #count = 0;
  /** Whether the body starts like JSON; null until its first character arrives. */
  #isJson: boolean | null = null;

  constructor(records: number) {
    // Some may be characters of texts.
    this.#max = 2 * (records + MAX_WRAPPERS);
  }

  /** @returns whether the body has few enough of them so far. */
  add(bytes: Uint8Array): boolean {
    for (const byte of bytes) {
      if (this.#isJson === false) return true;
      const isOpening = byte === OPEN_BRACKET || byte === OPEN_BRACE;
      // A byte order mark or a blank of Unicode may stand before JSON.
      if (this.#isJson === null && byte > SPACE && byte < FIRST_NON_ASCII) this.#isJson = isOpening;
      if (isOpening && this.#isJson === true) this.#count += 1;
    }
    return this.#count <= this.#max;
  }
}

/** Whether a text starts like a JSON object or array. */
export function mayBeJson(text: string): boolean {
  return /^\s*[{[]/.test(text);
}

/** Counts the parts of a complete body or query. @param records - Maximum records in it. */
export function countParts(text: string, records: number): PartsResult {
  return mayBeJson(text) ? countJsonParts(text, records) : countFormParts(text, records);
}

function countFormParts(text: string, records: number): PartsResult {
  const maxSeparators = MAX_FIELDS * Math.min(records, MAX_FORM_RECORDS);
  let separators = 0;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) separators += 1;
  return separators > maxSeparators ? 'too-many' : 'fit';
}

/** Ignores the content of strings that are not names, because it does not make parsing more expensive. */
function countJsonParts(text: string, records: number): PartsResult {
  const names = new Set<string>();
  let longNames = 0;
  let depth = 0;
  let opened = 0;
  let commas = 0;
  let lastText: readonly [start: number, end: number] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"':
        lastText = [at + 1, endOfText(text, at + 1)];
        at = lastText[1];
        break;
      case ':': {
        const [start, end] = lastText;
        if (end - start > MAX_NAME_LENGTH) longNames += 1;
        else names.add(text.slice(start, end));
        if (names.size + longNames > MAX_NAMES + opened) return 'too-many';
        break;
      }
      case '{':
      case '[':
        opened += 1;
        depth += 1;
        if (depth > MAX_WRAPPERS) return 'no-records';
        if (opened > records + MAX_WRAPPERS) return 'too-many';
        break;
      case '}':
      case ']':
        depth -= 1;
        break;
      case ',':
        commas += 1;
        if (commas > MAX_FIELDS * opened) return 'too-many';
    }
  }
  return 'fit';
}

/** The position of the quotation mark that ends the text, or the end of the JSON. */
function endOfText(json: string, start: number): number {
  for (let at = start; at < json.length; at += 1) {
    if (json[at] === '\\') at += 1;
    else if (json[at] === '"') return at;
  }
  return json.length;
}

/** Parses requests to the platform, and defines the type of its interfaces. */

import type {Context} from './context.ts';

/** One request to the platform with its parsed parameters. */
export interface PlatformRequest {
  readonly method: string;
  readonly path: string;
  /** The sandbox's origin, from the URL that the caller used. */
  readonly origin: string;
  readonly headers: Headers;
  /** The parameters from the query and the form. */
  readonly parameters: Parameters;
  /** The text of a JSON body; undefined if the content type is not JSON. */
  readonly json: string | undefined;
}

/** The fields of an operation's own answer. The interface adds the fields that all its successful answers have. */
export type AnswerFields = Readonly<Record<string, unknown>>;

/** One interface of the platform: its operations and the format of its answers. */
export interface PlatformInterface {
  /**
   * Returns the operation that a path calls: the path without its ids. Returns undefined if there is no such operation.
   */
  operationOf(path: string): string | undefined;
  /**
   * Returns true if the path is a page for shoppers or vendors. The list of calls omits pages, because it lists only
   * calls of the merchant.
   */
  isPage?(path: string): boolean;
  answer(request: PlatformRequest, context: Context): Promise<Response>;
  /** Returns an error body. `status` is a status of the interface, or any other text, which is sent unchanged. */
  refuse(status: string, context: Context): Response;
}

/** The value of a parameter: text, or a block of named or numbered parameters (`contact[name]`, `status[]`). */
export type Parameter = string | ParameterBlock;
export type ParameterBlock = Map<string, Parameter>;

/** The content of a request: the parameters from the query and the form, and the text of a JSON body. */
export interface Content {
  readonly parameters: Parameters;
  readonly json: string | undefined;
}

/**
 * Reads the query, and a body that is form-urlencoded, multipart or JSON (observed.md, "Shapes and spellings"). JSON
 * does not become parameters: the interfaces that accept JSON parse it themselves. A form that cannot be read is
 * treated as empty.
 */
export async function readContent(request: Request, readsForm = true): Promise<Content> {
  const contentType = request.headers.get('content-type') ?? '';
  // This line reads every body, because the runtime reports an error if the response is sent before the body is read.
  const body = await request.arrayBuffer();
  const form = readsForm && /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(contentType);
  const json = /^application\/json\b/i.test(contentType);
  return {
    parameters: new Parameters([
      ...new URL(request.url).searchParams,
      ...(form ? await readForm(body, contentType) : []),
    ]),
    json: json ? new TextDecoder().decode(body) : undefined,
  };
}

async function readForm(body: ArrayBuffer, contentType: string): Promise<[name: string, value: string][]> {
  try {
    const form = await new Response(body, {headers: {'content-type': contentType}}).formData();
    return [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  } catch {
    return [];
  }
}

/** Parses JSON. A number becomes text with the digits that the caller sent: `10.00` stays `10.00`. */
export function parseKeepingDigits(json: string): unknown {
  return JSON.parse(json, keepDigits);
}

function keepDigits(_name: string, value: unknown, context?: {source?: string}): unknown {
  return typeof value === 'number' ? (context?.source ?? String(value)) : value;
}

/**
 * Returns the fields of a JSON object as text, for the list of calls. A value that is not a string is written as JSON.
 */
export function listFields(json = ''): [name: string, value: string][] {
  try {
    const fields: unknown = parseKeepingDigits(json);
    if (typeof fields !== 'object' || fields === null) return [];
    return Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
  } catch {
    return [];
  }
}

/**
 * The parameters of one request: first the parameters in the query, then the parameters in the form. If a name occurs
 * several times, its last value is used.
 */
export class Parameters {
  readonly #block: ParameterBlock = new Map();

  constructor(readonly entries: readonly (readonly [name: string, value: string])[]) {
    for (const [name, value] of entries) place(this.#block, splitName(name), value);
  }

  get(name: string): Parameter | undefined {
    return this.#block.get(name);
  }

  /** Returns the text of a parameter; empty if the parameter is absent or a block. */
  text(name: string): string {
    const value = this.#block.get(name);
    return typeof value === 'string' ? value : '';
  }
}

/**
 * Splits `Transaction[amount][value]` into `Transaction`, `amount` and `value`. Does not split a name whose brackets
 * have another form.
 */
function splitName(name: string): string[] {
  const [, stem, brackets] = /^([^[\]]+)((?:\[[^[\]]*\]){0,8})$/.exec(name) ?? [];
  if (stem === undefined || brackets === undefined) return [name];
  return [stem, ...Array.from(brackets.matchAll(/\[([^[\]]*)\]/g), ([, part = '']) => part)];
}

function place(block: ParameterBlock, [first = '', ...rest]: string[], value: string): void {
  const name = first === '' ? nextIndex(block) : first;
  if (rest.length === 0) {
    block.set(name, value);
    return;
  }
  const existing = block.get(name);
  const inner: ParameterBlock = existing instanceof Map ? existing : new Map();
  block.set(name, inner);
  place(inner, rest, value);
}

/** Returns the name for an entry such as `status[]`, which is appended to the block. */
function nextIndex(block: ParameterBlock): string {
  let index = block.size;
  while (block.has(String(index))) index += 1;
  return String(index);
}

/** Logs an unexpected error, which is a bug of the sandbox, to the terminal. */
export function logUnexpectedError(path: string, error: unknown): void {
  console.error(path, error);
}

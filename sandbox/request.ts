import type {Context} from './context.ts';

/** One request to the platform, its parameters read. */
export interface PlatformRequest {
  readonly method: string;
  readonly path: string;
  /** The sandbox's own origin, as the caller wrote it. */
  readonly origin: string;
  readonly headers: Headers;
  /** Query and form. */
  readonly parameters: Parameters;
  /** The text of a JSON body; undefined where the body is something else. */
  readonly json: string | undefined;
}

/** The fields that an operation adds to its interface's own when it succeeds. */
export type AnswerFields = Readonly<Record<string, unknown>>;

/** One of the platform's base addresses: what it knows and how it answers. */
export interface PlatformInterface {
  /** The operation a path belongs to, named by its path up to the ids in it; undefined where there is none. */
  operationOf(path: string): string | undefined;
  /** True for what people look at: no call of the merchant's, hence not recorded as one. */
  isPage?(path: string): boolean;
  answer(request: PlatformRequest, context: Context): Promise<Response>;
  /** An error body with a status of the base's interface, or with one that nobody knows. */
  refuse(status: string, context: Context): Response;
}

/** A parameter's value: text, or a block of named or numbered parameters (`contact[name]`, `status[]`). */
export type Parameter = string | ParameterBlock;
export type ParameterBlock = Map<string, Parameter>;

/** What a request carries: parameters in query or form, or the text of a JSON body. */
export interface Content {
  readonly parameters: Parameters;
  readonly json: string | undefined;
}

/**
 * Reads query, form-urlencoded, multipart and JSON (observed, "Shapes and spellings"). JSON is no parameters: its
 * bases read it themselves. A body that cannot be read carries nothing.
 */
export async function readContent(request: Request): Promise<Content> {
  const contentType = request.headers.get('content-type') ?? '';
  // The runtime reports an error for every body that is still unread when the answer goes out.
  const body = await request.arrayBuffer();
  const form = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(contentType);
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

/** The fields of a JSON object as text, for the record of calls; values that are no text are shown as JSON. */
export function listFields(json = ''): [name: string, value: string][] {
  try {
    const fields: unknown = JSON.parse(json);
    if (typeof fields !== 'object' || fields === null) return [];
    return Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
  } catch {
    return [];
  }
}

/** The parameters of one request. Of a name given twice the last value counts, the body's over the query's. */
export class Parameters {
  readonly #block: ParameterBlock = new Map();

  constructor(readonly entries: readonly (readonly [name: string, value: string])[]) {
    for (const [name, value] of entries) place(this.#block, splitName(name), value);
  }

  get(name: string): Parameter | undefined {
    return this.#block.get(name);
  }

  /** The text of a parameter; empty where it is absent or a block. */
  text(name: string): string {
    const value = this.#block.get(name);
    return typeof value === 'string' ? value : '';
  }
}

/** `Transaction[amount][value]` → `Transaction`, `amount`, `value`; a name with stray or endless brackets stays whole. */
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

/** `status[]` appends. */
function nextIndex(block: ParameterBlock): string {
  let index = block.size;
  while (block.has(String(index))) index += 1;
  return String(index);
}

/** A mistake of the sandbox's own: its terminal is where one looks. */
export function logUnexpectedError(path: string, error: unknown): void {
  // oxlint-disable-next-line no-console -- here, and nowhere else in the sandbox.
  console.error(path, error);
}

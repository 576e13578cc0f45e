/** Reads the operations of the Worker's API description (OpenAPI 3.1). Its types are limited to what the page needs. */

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
}

interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Reply {
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface RawOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: {readonly content: Readonly<Record<string, Media>>};
  readonly responses: Readonly<Record<string, Reply | Reference>>;
}

interface Reference {
  readonly $ref: string;
}

export interface RawDocument {
  readonly info: {readonly version: string; readonly description: string};
  readonly tags: readonly {readonly name: string; readonly description: string}[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Who may call an operation: a merchant's server with its key, a page with its session, or anyone. */
export type Access = 'key' | 'session' | 'anyone';

export interface Operation {
  readonly id: string;
  /** The HTTP method, in upper case. */
  readonly method: string;
  /** The path. Each `{name}` in it is one of `parameters`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly access: Access;
  /** Parameters of the path and the query. */
  readonly parameters: readonly Parameter[];
  /** Whether the request carries an `Idempotency-Key`. */
  readonly write: boolean;
  readonly body: Media | undefined;
  readonly answers: readonly Answer[];
}

export interface Answer {
  readonly status: number;
  readonly description: string;
  readonly media: Media | undefined;
}

export interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly Operation[];
}

/** Returns whether the method, path, id or summary of an operation contains every word. Letter case does not matter. */
export function matchesSearch({method, path, id, summary}: Operation, search: string): boolean {
  const text = `${method} ${path} ${id} ${summary}`.toLowerCase();
  const words = search.toLowerCase().split(/\s+/);
  return words.every((word) => text.includes(word));
}

export class ApiDocument {
  constructor(private readonly raw: RawDocument) {}

  get version(): string {
    return this.raw.info.version;
  }

  get description(): string {
    return this.raw.info.description;
  }

  /** Groups the operations by their tag. */
  groups(): Group[] {
    const all = Object.entries(this.raw.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        tag: operation.tags[0],
        operation: this.#read(path, method, operation),
      })),
    );
    return this.raw.tags.map(({name, description}) => ({
      name,
      description,
      operations: all.filter(({tag}) => tag === name).map(({operation}) => operation),
    }));
  }

  /** Resolves a reference; returns any other value unchanged. */
  follow<T extends object>(value: T | Reference): T {
    if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
    const [kind = '', name = ''] = value.$ref.split('/').slice(-2);
    return this.raw.components[kind]?.[name] as T;
  }

  #read(
    path: string,
    method: string,
    {operationId, summary, description, security = [], parameters = [], requestBody, responses}: RawOperation,
  ): Operation {
    const all = parameters.map((parameter) => this.follow(parameter));
    return {
      id: operationId,
      method: method.toUpperCase(),
      path,
      summary,
      description,
      access: security.some((scheme) => 'merchantKey' in scheme)
        ? 'key'
        : security.some((scheme) => 'session' in scheme)
          ? 'session'
          : 'anyone',
      parameters: all.filter(({in: place}) => place !== 'header'),
      write: all.some(({name}) => name === 'Idempotency-Key'),
      body: requestBody?.content['application/json'],
      answers: Object.entries(responses).map(([status, reply]) => {
        const {description: text = '', content = {}} = this.follow(reply);
        return {status: Number(status), description: text, media: Object.values(content)[0]};
      }),
    };
  }
}

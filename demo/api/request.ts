/** Sends a request of the API page, and formats requests and answers for display. */

import type {Operation} from './document.ts';

/** One request to the Worker. */
export interface ApiRequest {
  readonly method: string;
  /** Path and query. */
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface ApiResponse {
  readonly status: number;
  /** The headers that the page shows, in display order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Media type of the body. */
  readonly type: string;
  /** The body; empty if it is not text. */
  readonly text: string;
  readonly tookMs: number;
}

const SHOWN_HEADERS = [
  'content-type',
  'x-request-id',
  'idempotency-replayed',
  'retry-after',
  'allow',
  'www-authenticate',
  'cache-control',
];
const TEXT = /^(text\/|image\/svg|application\/([\w.-]+\+)?json)/;

/** @throws {TypeError} if no answer arrived. */
export async function sendRequest({method, address, headers, body}: ApiRequest): Promise<ApiResponse> {
  const startedAt = performance.now();
  const response = await fetch(address, {method, headers, cache: 'no-store', ...(body !== undefined && {body})});
  const type = response.headers.get('content-type') ?? '';
  const text = TEXT.test(type) ? await response.text() : '';
  return {
    status: response.status,
    headers: SHOWN_HEADERS.flatMap((name) => {
      const value = response.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    type,
    text,
    tookMs: Math.round(performance.now() - startedAt),
  };
}

/** Indents JSON; returns other text unchanged. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const SECRETS: Readonly<Record<Operation['access'], string>> = {
  key: 'Bearer $MERCHANT_API_KEY',
  session: 'Bearer $SESSION',
  anyone: '',
};

/** Converts a request to a shell command, with variables in place of secrets. */
export function curlCommand({method, address, headers, body}: ApiRequest, access: Operation['access']): string {
  const headerArguments = Object.entries(headers).map(
    ([name, value]) => `-H "${name}: ${name === 'authorization' ? SECRETS[access] : value}"`,
  );
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} '${location.origin}${address}'`,
    ...headerArguments,
    ...(body === undefined ? [] : [`-d '${oneLine(body).replaceAll("'", String.raw`'\''`)}'`]),
  ].join(' \\\n  ');
}

function oneLine(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json;
  }
}

/**
 * Answers in the place of the Worker, for states that the sandbox does not make or that would take days: the page gets
 * the Worker's own answer with other fields, or a refusal.
 */

import type {Answer, Answers} from './states.ts';

const send = globalThis.fetch;
const PAYMENT = 'GET /v1/payment';

let answers: Answers = {};
const sockets = new Set<WebSocket>();

/** Takes effect at once: an open page learns of another payment through its socket, or by reading as after an outage. */
export function answerWith(next: Answers): void {
  answers = next;
  globalThis.fetch = answer;
  globalThis.WebSocket = ChangedSocket;
  for (const socket of sockets) socket.dispatchEvent(new Event('changed'));
  if (!isReadable()) dispatchEvent(new Event('online'));
}

const isReadable = () => typeof answers[PAYMENT] !== 'string' && !('refuse' in Object(answers[PAYMENT]));

async function answer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const {pathname} = new URL(String(input instanceof Request ? input.url : input), location.href);
  const request = `${init?.method ?? 'GET'} ${pathname}`;
  const planned: Answer | undefined = answers[request];
  if (planned === undefined || (typeof planned === 'object' && 'change' in planned)) {
    const response = await send(input, init);
    // A state with later answers began meanwhile.
    if (answers[request] !== planned) return answer(input, init);
    if (planned === undefined) return response;
    return Response.json(merge(await response.json(), planned.change), {headers: readBy(init)});
  }
  if (planned === 'held') return new Promise<Response>(() => {});
  if (planned === 'lost') throw new TypeError('The connection is lost.');
  const headers = readBy(init);
  if ('instead' in planned) return Response.json(planned.instead, {headers});
  const {refuse: code, retryAfter = 0} = planned;
  return Response.json(
    {code, retryable: retryAfter > 0 || code === 'temporarily_unavailable'},
    {status: 503, headers: {...headers, 'retry-after': String(retryAfter)}},
  );
}

/** The elements want what they sent, because a service worker could answer with another session's payment. */
const readBy = (init?: RequestInit) => ({'vezne-read': new Headers(init?.headers).get('vezne-read') ?? ''});

/** The fields of an answer, or of an object in it, with changes. */
function merge(answered: unknown, change: object): object {
  const fields = Object.entries(change).map(([name, value]) => {
    const before = (answered as Record<string, unknown>)[name];
    return [name, isObject(before) && isObject(value) ? {...before, ...value} : (value as unknown)];
  });
  return {...(answered as object), ...Object.fromEntries(fields)};
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A socket whose messages are the Worker's, with other fields. */
class ChangedSocket extends WebSocket {
  #text = '';

  constructor(address: string | URL, protocols?: string | string[]) {
    super(address, protocols);
    sockets.add(this);
    this.addEventListener('message', (event) => {
      if (!event.isTrusted || event.data === 'pong') return;
      event.stopImmediatePropagation();
      this.#text = String(event.data);
      this.#tell();
    });
    this.addEventListener('changed', () => this.#tell());
  }

  #tell(): void {
    const planned = answers[PAYMENT];
    if (!isReadable()) return this.close();
    if (this.#text === '') return;
    const change = planned && typeof planned === 'object' && 'change' in planned ? planned.change : {};
    const data = JSON.stringify(merge(JSON.parse(this.#text), change));
    this.dispatchEvent(new MessageEvent('message', {data}));
  }
}

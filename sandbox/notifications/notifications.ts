import type {NotificationKind, Notifications} from './notifications--notifications.ts';

const TIMEOUT_MS = 10_000;
const SHOWN_ANSWER_LENGTH = 200;

export interface Message {
  readonly kind: NotificationKind;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** The JSON of a POST, written as it is sent; of a GET its parameters. */
  readonly content: unknown;
}

export interface Delivery {
  /** Null where nobody answered. */
  readonly httpStatus: number | null;
  readonly answer: string;
}

/** Sends a notification once and records what came back. Redirects are not followed; it never throws. */
export async function deliver(message: Message, notifications: Notifications): Promise<Delivery> {
  const delivery = await send(message);
  notifications.record({...message, ...delivery});
  return delivery;
}

async function send({method, url, content}: Message): Promise<Delivery> {
  // Not AbortSignal.timeout: its timer outlives the call and keeps the object awake.
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new Error('no answer in ten seconds')), TIMEOUT_MS);
  const post = {method, headers: {'content-type': 'application/json'}, body: JSON.stringify(content)};
  try {
    const response = await fetch(url, {
      ...(method === 'POST' ? post : {}),
      redirect: 'manual',
      signal: timeout.signal,
    });
    return {httpStatus: response.status, answer: (await response.text()).slice(0, SHOWN_ANSWER_LENGTH)};
  } catch (error) {
    return {httpStatus: null, answer: error instanceof Error ? error.message : String(error)};
  } finally {
    clearTimeout(timer);
  }
}

/** An address with parameters added to those it has. */
export function addParameters(address: string, parameters: Readonly<Record<string, unknown>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, String(value ?? ''));
  return url.href;
}

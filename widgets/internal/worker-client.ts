/** The only place that talks to the Worker. Every failure leaves here as a `Problem`, unless the caller hung up. */
import type {Reply} from '../head-start.ts';
import {isProblem, type Accept} from './accept.ts';
import {type LoadRefusals, paymentRefusals, Problem, refused, unreachable} from './problem.ts';

const DEADLINE_MS = 15_000;

/** Addresses of Workers that answered this page before, and so know its origin. */
const answering = new Set<string>();

export interface WorkerRequest<T> {
  readonly accept: Accept<T>;
  readonly signal: AbortSignal;
  readonly token?: string;
  /** Makes it a POST. */
  readonly body?: object;
}

/** How the Worker is asked, whatever about. */
export abstract class WorkerClient {
  protected readonly refusals: LoadRefusals = paymentRefusals;

  constructor(
    /** Where the Worker is, without a slash at the end. */
    readonly address: string,
  ) {}

  /** @param begun the same request where it is already on its way. */
  protected async ask<T>(path: string, {accept, signal, token, body}: WorkerRequest<T>, begun?: Promise<Reply>): Promise<T> {
    const headers: Record<string, string> = {};
    if (body) headers['content-type'] = 'application/json';
    if (token) headers['authorization'] = `Bearer ${token}`;
    const hangUp = new AbortController();
    const stop = () => hangUp.abort();
    const deadline = setTimeout(stop, DEADLINE_MS);
    signal.addEventListener('abort', stop);
    try {
      signal.throwIfAborted();
      const asked =
        begun ??
        fetch(this.address + path, {
          headers,
          signal: hangUp.signal,
          credentials: 'omit',
          ...(body && {method: 'POST', body: JSON.stringify(body)}),
        }).then(async (response) => ({response, text: await response.text()}));
      const answer = asked.then((reply) => {
        answering.add(this.address);
        return read(reply, accept, this.refusals);
      });
      return await (begun ? Promise.race([answer, aborted(hangUp.signal)]) : answer);
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof Problem) throw thrown;
      if (hangUp.signal.aborted) throw new Problem('timeout', true);
      if (!navigator.onLine || answering.has(this.address)) throw unreachable();
      const {whyUnanswered} = await import('./why-unanswered.ts').catch(() => ({whyUnanswered: unreachable}));
      throw await whyUnanswered(this.address, this.refusals);
    } finally {
      clearTimeout(deadline);
      signal.removeEventListener('abort', stop);
    }
  }
}

/** Fails when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

/** What a reply says. */
export function read<T>({response, text}: Reply, accept: Accept<T>, refusals: LoadRefusals): T | Promise<never> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What is no JSON is judged by its status below.
  }
  if (response.ok) {
    if (accept(value)) return value;
    throw new Problem('unreadable', true);
  }
  // Only seconds are read: a date would have to be held against this device's clock.
  const retryAfterMs = (Number(response.headers.get('retry-after')) || 0) * 1000;
  if (isProblem(value)) return refuse(refusals, value.code, value.retryable, retryAfterMs);
  if (response.status === 429) return refuse(refusals, 'rate_limited', true, retryAfterMs);
  throw new Problem('unreadable', true, retryAfterMs);
}

async function refuse(...said: Parameters<typeof refused>): Promise<never> {
  throw await refused(...said);
}

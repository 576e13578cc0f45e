/**
 * A platform client with a stub transport. The test reads the requests that the client sends, and provides the answers.
 */

import {type Clock, PlatformClient, type PlatformOptions} from '../../../worker/platform/client.ts';
import {PlatformError, type PlatformFailure} from '../../../worker/platform/failure.ts';
import {
  landingInterface,
  micropaymentInterface,
  paymentPageInterface,
  phsInterface,
} from '../../../worker/platform/interfaces.ts';
import {DEFAULT_RECIPE} from '../../../worker/platform/keys.ts';
import type {TokenSource} from '../../../worker/platform/token-source.ts';
import {unlimited} from '../../support/unlimited-quotas.ts';

export interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly redirect: string | undefined;
}

export const PHS = 'https://platform.example/phs';
const merchantId = '2042';
const INTERFACES = {
  phs: phsInterface({baseUrl: PHS, merchantId, parameters: 'form'}),
  micropayment: micropaymentInterface({
    baseUrl: 'https://platform.example/micropayment',
    merchantId,
    credentials: {headers: {'x-credential': 'c-1'}, query: {}, body: {}},
  }),
  payment_page: paymentPageInterface({
    baseUrl: 'https://platform.example/pay',
    merchantId,
    secret: 'example page secret',
    recipe: DEFAULT_RECIPE,
    types: 'numbers',
  }),
  landing: landingInterface({baseUrl: 'https://platform.example/landing', merchantId, authorization: 'AUTH-1'}),
};
export const TOKEN = '{7A1C0D52-93E4-4B07-A6F1-2C5D8E90B314}';

export const success = (fields: object = {}): string => JSON.stringify({status: '000', message: 'Success', ...fields});
export const refusal = (status: string, message = 'No'): string => JSON.stringify({status, message});

/** A clock that does not wait, but advances by the duration of each wait. */
export class FakeClock implements Clock {
  readonly waits: number[] = [];
  #now = 0;

  now = (): number => this.#now;
  random = (): number => 0.5;

  wait = (ms: number): Promise<void> => {
    this.waits.push(ms);
    this.#now += ms;
    return Promise.resolve();
  };

  advance(ms: number): void {
    this.#now += ms;
  }
}

const tokens: TokenSource = {
  current: () => Promise.resolve(TOKEN),
  renew: () => Promise.reject(new Error('This stub has no second token.')),
};

export type Transport = (sent: SentRequest, count: number) => string | Response | Promise<Response>;

/** @param transport - Returns the answer to each request; a text becomes the body of an answer with HTTP 200. */
export function clientWithTransport(
  transport: Transport,
  options: Partial<Pick<PlatformOptions, 'tokens' | 'quotas' | 'clock' | 'of' | 'reporter'>> = {},
) {
  const sent: SentRequest[] = [];
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const sentRequest = {
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: new TextDecoder().decode(await request.arrayBuffer()),
      redirect: init?.redirect,
    };
    sent.push(sentRequest);
    const answer = await transport(sentRequest, sent.length);
    return typeof answer === 'string' ? new Response(answer) : answer;
  };
  const client = new PlatformClient({
    interfaces: INTERFACES,
    tokens,
    quotas: unlimited,
    clock: new FakeClock(),
    fetch: fetch as typeof globalThis.fetch,
    ...options,
  });
  return {client, sent};
}

/** Returns the failure of a call; throws if the call succeeds. */
export async function failureOf(call: Promise<unknown>): Promise<PlatformFailure> {
  try {
    await call;
  } catch (error) {
    if (error instanceof PlatformError) return error.failure;
    throw error;
  }
  throw new Error('The call succeeded.');
}

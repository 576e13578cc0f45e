/** People with mobile phones on a page that subscribes them. */

import {afterEach, beforeEach, expect} from 'vitest';
import {PinSent} from '../../../worker/contract/browser/subscription-answers.ts';
import {logLines} from './log-lines.ts';
import {type Answer, askAsPage, newAddress, read} from './page.ts';
import {pinOf, smsTo} from './sandbox.ts';

let numbers = 0;

/** A number that nobody had before, in a block of a thousand that nobody had either. */
export function newNumber(): string {
  numbers += 1;
  return `53${String(10_000 + numbers).padStart(5, '0')}001`;
}

let sending = 0;
const arrived = (): number => logLines('platform_call').filter(({operation}) => operation === 'generatePin').length;

/** A PIN may still be on its way when its page has been answered: no test ends before it has arrived. */
export function awaitPins(): void {
  beforeEach(() => {
    sending = 0;
  });
  afterEach(() => expect.poll(arrived, {timeout: 20_000}).toBeGreaterThanOrEqual(sending));
}

export interface PinRequest {
  readonly token: string;
  readonly msisdn: string;
  readonly operator?: number;
  readonly address?: string;
  readonly human?: string;
  readonly bindings?: Record<string, unknown>;
  /** Answered when a page is, so that what the platform says until then counts; at once otherwise. */
  readonly realTiming?: boolean;
}

const FAST_ANSWER_MS = 20;

/** Bindings of its own give each question a Worker that has not met a platform in trouble. */
export async function askPin({
  token,
  msisdn,
  operator = 1,
  address = newAddress(),
  human,
  bindings = {},
  realTiming = false,
}: PinRequest): Promise<Answer> {
  const body = {operator, msisdn, tracking_id: 't-81c4', ...(human !== undefined && {human})};
  const answer = await askAsPage('POST', '/v1/pins', {
    token,
    body,
    headers: {'cf-connecting-ip': address},
    bindings: realTiming ? bindings : withFastAnswer(bindings),
  });
  if (answer.status === 202) sending += 1;
  return answer;
}

function withFastAnswer({LIMITS, ...bindings}: Record<string, unknown>): Record<string, unknown> {
  return {...bindings, LIMITS: {pin_answer_ms: FAST_ANSWER_MS, ...(LIMITS as object | undefined)}};
}

/** Asks for a PIN and reads it off the phone. */
export async function receivePin(asking: PinRequest): Promise<string> {
  const before = await smsTo(asking.msisdn);
  read(await askPin(asking), PinSent, 202);
  await expect.poll(() => smsTo(asking.msisdn), {timeout: 20_000}).toHaveLength(before.length + 1);
  return pinOf(asking.msisdn);
}

export function subscribe({
  token,
  msisdn,
  operator = 1,
  address = newAddress(),
  pin,
  bindings,
}: PinRequest & {readonly pin: string}): Promise<Answer> {
  const body = {operator, msisdn, pin, tracking_id: 't-81c4'};
  return askAsPage('POST', '/v1/subscriptions', {
    token,
    body,
    headers: {'cf-connecting-ip': address},
    ...(bindings && {bindings}),
  });
}

export function oneClick({
  token,
  number_token,
  address = newAddress(),
  bindings = {ONE_CLICK: 'on'},
}: Omit<PinRequest, 'msisdn'> & {readonly number_token: string}): Promise<Answer> {
  return askAsPage('POST', '/v1/subscriptions', {
    token,
    body: {number_token, tracking_id: 't-81c4'},
    headers: {'cf-connecting-ip': address},
    bindings,
  });
}

/** Requests PINs and subscribes numbers, as a page does. */

import {afterEach, beforeEach, expect} from 'vitest';
import {PinSent} from '../../../worker/contract/browser/subscription-answers.ts';
import {logLines} from './log-lines.ts';
import {type Answer, askAsPage, newAddress, read} from './page.ts';
import {pinOf, smsTo} from './sandbox.ts';

let numberCount = 0;

/** Returns a new number. Its prefix is new as well, because numbers with the same prefix share a limit. */
export function newNumber(): string {
  numberCount += 1;
  return `53${String(10_000 + numberCount).padStart(5, '0')}001`;
}

let requestedPins = 0;
const countSentPins = (): number =>
  logLines('platform_call').filter(({operation}) => operation === 'generatePin').length;

/**
 * Keeps each test from ending before its PINs were sent, because the Worker may answer a page before it sends the PIN.
 */
export function awaitPins(): void {
  beforeEach(() => {
    requestedPins = 0;
  });
  afterEach(() => expect.poll(countSentPins, {timeout: 20_000}).toBeGreaterThanOrEqual(requestedPins));
}

export interface PinRequest {
  readonly token: string;
  readonly msisdn: string;
  readonly operator?: number;
  readonly address?: string;
  readonly human?: string;
  readonly bindings?: Record<string, unknown>;
  /**
   * Whether the Worker answers after the real fixed time, so that a refusal of the platform reaches the page. If not,
   * it answers after a few milliseconds.
   */
  readonly realTiming?: boolean;
}

const FAST_ANSWER_MS = 20;

/** Requests a PIN. Each request replaces the bindings, so that it gets a new client whose circuit is closed. */
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
  if (answer.status === 202) requestedPins += 1;
  return answer;
}

function withFastAnswer({LIMITS, ...bindings}: Record<string, unknown>): Record<string, unknown> {
  return {...bindings, LIMITS: {pin_answer_ms: FAST_ANSWER_MS, ...(LIMITS as object | undefined)}};
}

/** Requests a PIN and reads it from the SMS. */
export async function receivePin(request: PinRequest): Promise<string> {
  const before = await smsTo(request.msisdn);
  read(await askPin(request), PinSent, 202);
  await expect.poll(() => smsTo(request.msisdn), {timeout: 20_000}).toHaveLength(before.length + 1);
  return pinOf(request.msisdn);
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

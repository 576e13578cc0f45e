/** Requests PINs and subscribes numbers, as a page does. */

import {exports} from 'cloudflare:workers';
import {afterEach, beforeEach, expect, vi} from 'vitest';
import {PinSent} from '../../../worker/contract/browser/subscription-answers.ts';
import {PlatformClient} from '../../../worker/platform/client.ts';
import {isStored, listAddressed} from './durable-objects.ts';
import {logLines} from './log-lines.ts';
import {type Answer, askAsPage, newAddress, read} from './page.ts';
import {pinOf, smsTo} from './sandbox.ts';

const NUMBERS_PER_PREFIX = 10;
let numberCount = 0;

/** Returns a new number. Several share a prefix, because each new prefix starts a Durable Object. */
export function newNumber(): string {
  const prefix = 5_310_000 + Math.floor(numberCount / NUMBERS_PER_PREFIX);
  const number = numberCount % NUMBERS_PER_PREFIX;
  numberCount += 1;
  return `${prefix}00${number}`;
}

/** Returns a new number whose prefix is new as well. */
export function newNumberOfNewPrefix(): string {
  numberCount = Math.ceil(numberCount / NUMBERS_PER_PREFIX) * NUMBERS_PER_PREFIX;
  return newNumber();
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
  afterEach(() => expect.poll(countSentPins).toBeGreaterThanOrEqual(requestedPins));
}

export interface PinRequest {
  readonly token: string;
  readonly msisdn: string;
  readonly operator?: number;
  readonly address?: string;
  readonly human?: string;
  readonly bindings?: Record<string, unknown>;
  /**
   * If true, the Worker answers as soon as the platform has answered, so that the page gets the platform's refusal.
   * Otherwise it answers after 20 ms.
   */
  readonly afterPlatform?: boolean;
}

/** The addresses from which the newest PINs of numbers were requested. */
const requesters = new Map<string, string>();

const FAST_ANSWER_MS = 20;
/** The longest `pin_answer_ms` that `LIMITS` allows. No test waits this long. */
const PATIENT_ANSWER_MS = 10_000;

/** Requests a PIN. Each request has bindings of its own, so it gets a new platform client whose circuit is closed. */
export async function askPin({
  token,
  msisdn,
  operator = 1,
  address = newAddress(),
  human,
  bindings = {},
  afterPlatform = false,
}: PinRequest): Promise<Answer> {
  const body = {operator, msisdn, tracking_id: 't-81c4', ...(human !== undefined && {human})};
  if (afterPlatform) awaitPlatform();
  const answer = await askAsPage('POST', '/v1/pins', {
    token,
    body,
    headers: {'cf-connecting-ip': address},
    bindings: withAnswerTime(bindings, afterPlatform ? PATIENT_ANSWER_MS : FAST_ANSWER_MS),
  });
  if (answer.status === 202) {
    requestedPins += 1;
    requesters.set(msisdn, address);
  }
  return answer;
}

function withAnswerTime({LIMITS, ...bindings}: Record<string, unknown>, ms: number): Record<string, unknown> {
  return {...bindings, LIMITS: {pin_answer_ms: ms, ...(LIMITS as object | undefined)}};
}

/**
 * In this test, ends the fixed response time of requests with `afterPlatform` shortly after the platform has answered
 * all of them, and the numbers' objects have answered the Worker. A real time would be too long for a test or too short
 * for a busy machine.
 */
function awaitPlatform(): void {
  if (vi.isMockFunction(scheduler.wait)) return;
  const wait = scheduler.wait.bind(scheduler);
  const call = PlatformClient.prototype.call;
  let waiting = 0;
  let answered = 0;
  vi.spyOn(PlatformClient.prototype, 'call').mockImplementation(async function (this: PlatformClient, ...args) {
    try {
      return await call.apply(this, args);
    } finally {
      if (args[0] === 'generatePin') answered += 1;
    }
  } as typeof call);
  vi.spyOn(scheduler, 'wait').mockImplementation(async (ms, options) => {
    if (ms !== PATIENT_ANSWER_MS) return wait(ms, options);
    waiting += 1;
    const needed = waiting;
    await expect.poll(() => answered, {interval: 10}).toBeGreaterThanOrEqual(needed);
    for (const id of listAddressed(exports.Subscriber)) await isStored(exports.Subscriber.get(id));
    await wait(100);
  });
}

/** Requests a PIN and reads it from the SMS. */
export async function receivePin(request: PinRequest): Promise<string> {
  const before = await smsTo(request.msisdn);
  read(await askPin(request), PinSent, 202);
  await expect.poll(() => smsTo(request.msisdn)).toHaveLength(before.length + 1);
  return pinOf(request.msisdn);
}

export function subscribe({
  token,
  msisdn,
  operator = 1,
  address = requesters.get(msisdn) ?? newAddress(),
  pin,
  language,
  bindings,
}: PinRequest & {readonly pin: string; readonly language?: string}): Promise<Answer> {
  const body = {operator, msisdn, pin, tracking_id: 't-81c4', ...(language !== undefined && {language})};
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

/** Pays on the platform's payment page, with a new number and its PIN. */
export async function payOn(url: string, msisdn = newNumber()): Promise<void> {
  const step = (fields: Record<string, string>) =>
    fetch(url, {method: 'POST', body: new URLSearchParams(fields), redirect: 'manual'});
  await step({step: 'number', msisdn, operator: '1'});
  await step({step: 'pin', pin: await pinOf(msisdn)});
}

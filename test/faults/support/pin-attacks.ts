/** What somebody tries who has many addresses: to guess a PIN, to have an SMS sent to everybody, to tell numbers apart. */

import {setTimeout as wait} from 'node:timers/promises';
import type {Bundles} from './bundles.ts';
import {addressAt, inParallel, LandingStack} from './landing-stack.ts';

const LANES = 16;
/** Longer than a call to the platform may take. */
const SETTLED_MS = 15_000;
/** How long the platform takes. */
const PLATFORM_DELAYS_MS = [20, 300, 900];
const PIN_PATH = '/landing/generate-pin';

export interface GuessPlan {
  readonly guesses: number;
  readonly addresses: number;
}

export interface GuessFigures {
  readonly reached: number;
  readonly pins: number;
  readonly answers: Readonly<Record<string, number>>;
}

/** One number's PIN is guessed at from many addresses, and asked for anew whenever that is allowed. */
export async function guessPin(bundles: Bundles, {guesses, addresses}: GuessPlan): Promise<GuessFigures> {
  const stack = await LandingStack.open(bundles);
  try {
    const token = await stack.openSession('club');
    const msisdn = '5321234567';
    const answers: Record<string, number> = {};
    const over = new AbortController();
    await stack.askPin(token, msisdn, addressAt(0));
    const asking = (async () => {
      for (let count = 1; !over.signal.aborted; count += 1) {
        await stack.askPin(token, msisdn, addressAt(count % addresses));
        await wait(200);
      }
    })();
    await inParallel(guesses, LANES, async (index) => {
      // Five digits: none is ever right.
      const body = {operator: 1, msisdn, pin: String(10_000 + (index % 90_000)), tracking_id: 't-1'};
      const {status, text} = await stack.ask('/v1/subscriptions', {token, address: addressAt(index % addresses), body});
      const answer = `${status} ${(JSON.parse(text) as {code?: string}).code ?? ''}`;
      answers[answer] = (answers[answer] ?? 0) + 1;
    });
    over.abort();
    await asking;
    return {reached: await stack.calls('/landing/subscription-request'), pins: await stack.calls(PIN_PATH), answers};
  } finally {
    await stack.close();
  }
}

export interface SprayPlan {
  readonly numbers: number;
  readonly addresses: number;
}

export interface SprayFigures {
  readonly sms: number;
  readonly answers: Readonly<Record<number, number>>;
  /** What people elsewhere are answered afterwards: where somebody has subscribed today, and where nobody has. */
  readonly proven: number;
  readonly stranger: number;
}

/** PINs for many numbers from many addresses all over the world, without a human check; then somebody who means it. */
export async function sprayNumbers(bundles: Bundles, {numbers, addresses}: SprayPlan): Promise<SprayFigures> {
  const stack = await LandingStack.open(bundles);
  try {
    const token = await stack.openSession('club');
    await subscribe(stack, token, '5559990001', '5.44.1.1');
    const before = await stack.messages();
    const answers: Record<number, number> = {};
    await inParallel(numbers, LANES, async (index) => {
      const msisdn = `5${30 + (index % 20)}${String((index * 7919) % 10_000_000).padStart(7, '0')}`;
      const {status} = await stack.askPin(token, msisdn, addressAt(index % addresses));
      answers[status] = (answers[status] ?? 0) + 1;
    });
    // Answers leave before the platform's do.
    const settled = Date.now() + SETTLED_MS;
    while ((await stack.calls(PIN_PATH)) < 1 + (answers[202] ?? 0) && Date.now() < settled) await wait(50);
    const sms = (await stack.messages()) - before;
    const proven = (await stack.askPin(token, '5559990002', '5.44.200.7')).status;
    const stranger = (await stack.askPin(token, '5559990003', '5.45.200.7')).status;
    return {sms, answers, proven, stranger};
  } finally {
    await stack.close();
  }
}

async function subscribe(stack: LandingStack, token: string, msisdn: string, address: string): Promise<void> {
  await stack.askPin(token, msisdn, address);
  const pin = await stack.pinOf(msisdn);
  const {status, text} = await stack.ask('/v1/subscriptions', {
    token,
    address,
    body: {operator: 1, msisdn, pin, tracking_id: 't-1'},
  });
  if (status !== 201) throw new Error(`Not subscribed: ${text}`);
}

export interface Timed {
  readonly number: 'fresh' | 'subscribed' | 'blacklisted';
  /** How long the platform took. */
  readonly platformMs: number;
  /** Of the answers, sorted. */
  readonly tookMs: readonly number[];
}

const OPEN_LIMITS = {
  number_pin_pause_seconds: null,
  number_pins_per_10_minutes: null,
  number_pins_per_day: null,
  address_pins_per_hour: null,
  prefix_pins_per_hour: null,
  service_pins_per_hour: null,
  confirm_rate_percent: null,
};

export interface TimePlan {
  readonly each: number;
  /** From one request to the next, whatever becomes of it. */
  readonly everyMs: number;
}

export interface TimeFigures {
  readonly timed: readonly Timed[];
  /** Requests that were answered 503 and sent again: the call to the platform met a connection that was just being closed. */
  readonly cut: number;
}

/**
 * How long PIN requests take for three kinds of numbers and three paces of the platform, so many of each. They come at
 * even distances, one of each kind (each is the first as often), and then the platform has another pace: all nine meet the same load.
 */
export async function timePins(bundles: Bundles, {each, everyMs}: TimePlan): Promise<TimeFigures> {
  const stack = await LandingStack.open(bundles, OPEN_LIMITS);
  try {
    const token = await stack.openSession('club');
    await stack.platform.control('subscriptions', {msisdn: '5559990001', product: 77});
    let fresh = 0;
    let cut = 0;
    const numbers = {
      fresh: () => `5${31_000_0000 + (fresh += 1)}`,
      subscribed: () => '5559990001',
      blacklisted: () => '5550000007',
    };
    const time = async (number: Timed['number'], address: string): Promise<number> => {
      for (;;) {
        const began = performance.now();
        const {status, text} = await stack.askPin(token, numbers[number](), address);
        if (status === 202) return performance.now() - began;
        if (status !== 503) throw new Error(`${status} ${text}`);
        cut += 1;
      }
    };
    const kinds = Object.keys(numbers) as Timed['number'][];
    const timed = PLATFORM_DELAYS_MS.flatMap((platformMs) =>
      kinds.map((number) => ({number, platformMs, tookMs: [] as number[]})),
    );
    const answers: Promise<unknown>[] = [];
    const failed = Promise.withResolvers<never>();
    // Heard wherever there is something to wait for: a request that never comes to the line is not waited for there.
    failed.promise.catch(() => {});
    const unlessFailed = (waiting: Promise<unknown>) => Promise.race([waiting, failed.promise]);
    for (let round = 0; round < each; round += 1) {
      for (const platformMs of PLATFORM_DELAYS_MS) {
        await stack.platform.heal(PIN_PATH);
        await stack.platform.fault(PIN_PATH, {kind: 'delay', delay_ms: platformMs});
        const batch = timed.filter((one) => one.platformMs === platformMs);
        const arrived = stack.line.attempts(PIN_PATH) + batch.length;
        const first = round % batch.length;
        for (const one of [...batch.slice(first), ...batch.slice(0, first)]) {
          answers.push(
            time(one.number, addressAt(answers.length))
              .then((tookMs) => one.tookMs.push(tookMs))
              .catch(failed.reject),
          );
          await unlessFailed(wait(everyMs));
        }
        while (stack.line.attempts(PIN_PATH) < arrived) await unlessFailed(wait(1));
      }
    }
    await unlessFailed(Promise.all(answers));
    for (const {tookMs} of timed) tookMs.sort((a, b) => a - b);
    return {timed, cut};
  } finally {
    await stack.close();
  }
}

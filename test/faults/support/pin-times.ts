/** Measures whether the response time of a PIN request tells numbers apart. */

import {setTimeout as wait} from 'node:timers/promises';
import type {Bundles} from './bundles.ts';
import {addressAt, LandingStack} from './landing-stack.ts';

/** The response times of the platform that are compared. */
const PLATFORM_DELAYS_MS = [20, 300, 900];
const PIN_PATH = '/landing/generate-pin';

/** How long the Worker took to answer for one kind of number, while the platform took a fixed time to answer. */
export interface PinTimes {
  readonly number: 'fresh' | 'subscribed' | 'blacklisted';
  /** How long the platform took to answer. */
  readonly platformMs: number;
  /** How long the Worker took to answer each request, sorted. */
  readonly tookMs: readonly number[];
}

const NO_LIMITS = {
  number_pins_per_day: null,
  address_pins_per_hour: null,
  prefix_pins_per_hour: null,
  service_pins_per_hour: null,
  confirm_rate_percent: null,
};

export interface TimePlan {
  /** The number of requests for each kind of number at each response time of the platform. */
  readonly requestsEach: number;
  /** Time from one request to the next, without waiting for its answer. */
  readonly everyMs: number;
}

export interface TimeFigures {
  readonly times: readonly PinTimes[];
  /**
   * The number of requests that got 503 and were repeated. A 503 happens if the platform closes a connection just as
   * the Worker uses it.
   */
  readonly repeated: number;
}

/**
 * Measures PIN requests for three kinds of numbers at three response times of the platform. A round has, for each
 * response time, one request for each kind of number, in rotating order. The requests come at even intervals, so all
 * nine combinations run under the same load.
 */
export async function timePins(bundles: Bundles, {requestsEach, everyMs}: TimePlan): Promise<TimeFigures> {
  const stack = await LandingStack.open(bundles, NO_LIMITS);
  try {
    const token = await stack.openSession('club');
    await stack.platform.control('subscriptions', {msisdn: '5559990001', product: 77});
    let fresh = 0;
    let repeated = 0;
    const numbers = {
      fresh: () => `5${31_000_0000 + (fresh += 1)}`,
      subscribed: () => '5559990001',
      blacklisted: () => '5550000007',
    };
    const measure = async (number: PinTimes['number'], address: string): Promise<number> => {
      for (;;) {
        const startedAt = performance.now();
        const {status, text} = await stack.requestPin(token, numbers[number](), address);
        if (status === 202) return performance.now() - startedAt;
        if (status !== 503) throw new Error(`${status} ${text}`);
        repeated += 1;
      }
    };
    const kinds = Object.keys(numbers) as PinTimes['number'][];
    const times = PLATFORM_DELAYS_MS.flatMap((platformMs) =>
      kinds.map((number) => ({number, platformMs, tookMs: [] as number[]})),
    );
    const answers: Promise<unknown>[] = [];
    const failed = Promise.withResolvers<never>();
    // Every wait below also ends when a request fails. Otherwise the loop below would wait forever for a failed request
    // to pass `stack.line`.
    failed.promise.catch(() => {});
    const unlessFailed = (task: Promise<unknown>) => Promise.race([task, failed.promise]);
    for (let round = 0; round < requestsEach; round += 1) {
      for (const platformMs of PLATFORM_DELAYS_MS) {
        await stack.platform.heal(PIN_PATH);
        await stack.platform.fault(PIN_PATH, {kind: 'delay', delay_ms: platformMs});
        const batch = times.filter((entry) => entry.platformMs === platformMs);
        const arrived = stack.line.attempts(PIN_PATH) + batch.length;
        const first = round % batch.length;
        for (const entry of [...batch.slice(first), ...batch.slice(0, first)]) {
          answers.push(
            measure(entry.number, addressAt(answers.length))
              .then((tookMs) => entry.tookMs.push(tookMs))
              .catch(failed.reject),
          );
          await unlessFailed(wait(everyMs));
        }
        while (stack.line.attempts(PIN_PATH) < arrived) await unlessFailed(wait(1));
      }
    }
    await unlessFailed(Promise.all(answers));
    for (const {tookMs} of times) tookMs.sort((a, b) => a - b);
    return {times, repeated};
  } finally {
    await stack.close();
  }
}

// @ts-check
// Measures the response time of POST /v1/pins for a fresh, a subscribed and a blacklisted number, while the platform
// takes 20, 300 or 900 ms. Fails if the medians of these nine combinations, of 300 requests each, differ by more than 5
// ms. The bench sends a request every 30 ms without waiting for the answer to the request before. All limits are off,
// except the fixed response time, which has its default.

import {timePins} from '../faults/support/pin-times.ts';
import {checkTime, median, quantile, scaled, withBundles} from './support/bench.mjs';

const MAX_DIFFERENCE_MS = 5;
const requestsEach = scaled(300, 3);

const {times, repeated} = await withBundles((_, bundles) => timePins(bundles, {requestsEach, everyMs: 30}));
const rows = times.map(({number, platformMs, tookMs}) => ({
  number,
  platformMs,
  p1: quantile(tookMs, 0.01).toFixed(1),
  median: median(tookMs).toFixed(1),
  p99: quantile(tookMs, 0.99).toFixed(1),
}));
console.table(rows);
if (repeated > 0) console.log(`${repeated} requests got 503 and were repeated`);
const medians = times.map(({tookMs}) => median(tookMs));
const difference = Math.max(...medians) - Math.min(...medians);
checkTime(
  `the medians of ${requestsEach} requests for each row differ by ${difference.toFixed(2)} ms, at most ${MAX_DIFFERENCE_MS} ms`,
  difference <= MAX_DIFFERENCE_MS,
);

// @ts-check
// Plays a busy day of 20,000 orders, whose books must agree with the sandbox's records to the kuruş, and measures
// searches in the books of a month with a million rows, each of which must take at most 100 ms.

import {runVitest} from './support/run-vitest.mjs';

const folder = 'test/worker/objects/archive';
await runVitest('worker', [`${folder}/busy-day.test.ts`, `${folder}/books-size.test.ts`]);

// @ts-check
// Measures searches in the books of a month with a million rows. Each must take at most 100 ms.

import {runVitest} from './support/run-vitest.mjs';

await runVitest('worker', ['test/worker/objects/archive/books-size.test.ts']);

// @ts-check
// Runs sweeps for 500 waiting pages and a day with 5,000 transactions, and counts the calls to the platform. Fails if a
// page does not learn of its transfer. Also runs sweeps of a platform whose searches fail for some days of the list,
// with every kind of failure and every sequence of the list. Also runs sweeps of platforms that read the contract in
// different ways, with every pair of readings. This bench runs tests of the Worker with all their cases.

import {runVitest} from './support/run-vitest.mjs';

const folder = 'test/worker/objects/sweep';
const files = ['sweep', 'sweep-failing-days', 'sweep-readings'].map((name) => `${folder}/${name}.test.ts`);
const titles = [
  'three searches per sweep',
  'with the readings',
  'of a future day',
  'of one day get',
  'rows of a page \\(',
];
await runVitest('worker', [...files, '-t', titles.join('|')]);

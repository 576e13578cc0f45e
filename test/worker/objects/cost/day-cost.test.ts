/** Counts what a day costs on which pages are open all day. docs/deploy.md and docs/benchmarks.md have the counts. */

import {expect, inject, test} from 'vitest';
import {addTransactions, searchFarDays} from '../../support/busy-service.ts';
import {advance, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {renewToken, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {openSocket} from '../../support/page-socket.ts';
import {openOrder, showPayment} from '../../support/page.ts';
import {countCalls} from '../../support/sandbox.ts';
import {deliver, freshReceiver} from '../../support/webhook-receiver.ts';
import {countStorage} from './storage-costs.ts';

freshWorker();
freshReceiver();

/** `npm run bench -- day-cost` counts a whole day; `npm test` counts a part of it. */
const COUNTED_MS = inject('scale') === 1 ? 24 * HOUR : 2 * MINUTE;
const SWEEP_EVERY_MS = 3 * SECOND;
/** While a page was opened in the last ten minutes, sweeps run every 3 seconds. */
const NEW_PAGE_EVERY_MS = 10 * MINUTE - SWEEP_EVERY_MS;

const perDay = (count: number) => Math.round((count * 24 * HOUR) / COUNTED_MS);

test(
  'if new pages are open all day, sweeps write at most 31,000 rows for their alarms and their progress',
  {timeout: 3_600_000},
  async ({annotate}) => {
    await showPayment((await openOrder()).token);
    await addTransactions(20);
    await searchFarDays();
    await deliver();
    const searchesBefore = await countCalls('/transaction/search');
    let sweeps = 0;
    let page: Awaited<ReturnType<typeof openSocket>> | null = null;
    const {byClass, writes} = await countStorage(async () => {
      for (let at = 0; at < COUNTED_MS; at += SWEEP_EVERY_MS) {
        if (at % NEW_PAGE_EVERY_MS === 0) {
          await renewToken();
          const socket = await openSocket((await openOrder()).token);
          await page?.rest();
          page?.close();
          page = socket;
        }
        await advance(SWEEP_EVERY_MS);
        await runSweep();
        sweeps += 1;
      }
    });
    const sum = (field: 'rowsWritten' | 'rowsRead' | 'calls') =>
      Object.values(byClass).reduce((total, cost) => total + cost[field], 0);
    const found = {
      sweeps: perDay(sweeps),
      sweepRows: perDay(byClass['sweeps']?.rowsWritten ?? 0),
      /** What the sweep writes about the orders of the pages. */
      trackingRows: perDay(byClass['Service']?.rowsWritten ?? 0),
      rowsWritten: perDay(sum('rowsWritten')),
      rowsRead: perDay(sum('rowsRead')),
      objectRequests: perDay(sum('calls')),
      searches: perDay((await countCalls('/transaction/search')) - searchesBefore),
    };
    await annotate(JSON.stringify(found));
    expect(found.sweepRows, JSON.stringify({found, byClass, writes}, null, 1)).toBeLessThanOrEqual(31_000);
  },
);

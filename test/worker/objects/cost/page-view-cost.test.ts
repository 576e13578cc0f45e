/** Counts what a page view costs until the shopper chooses a bank. docs/benchmarks.md has the counts. */

import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {handle} from '../../../../worker/router.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {askAsPage, WORKER} from '../../support/page.ts';
import {countStorage} from './storage-costs.ts';

freshWorker();

const openSession = () =>
  askAsPage('POST', '/v1/sessions', {body: {offer: 'gold'}, headers: {'cf-connecting-ip': '192.0.2.44'}});

test('loading checkout.js writes no row and wakes no object; opening a session wakes one guard, which writes nothing', async () => {
  const ASSETS = {fetch: () => Promise.resolve(new Response('"__VEZNE_PAGE_DATA__"'))};
  // Both loads use the same bindings, so that the second load finds the bank list of the first in memory.
  const bindings = {...env, ASSETS} as unknown as Env;
  const load = () => handle(new Request(`${WORKER}/checkout.js?offer=gold`), bindings);
  await load();
  const {byClass} = await countStorage(load);
  // Metrics may be written at any time. If a call began before the count, its class is unknown.
  expect(Object.keys(byClass).filter((name) => !['reports', 'unknown'].includes(name))).toEqual([]);
  const first = (await countStorage(openSession)).byClass['Guard'];
  const next = (await countStorage(openSession)).byClass['Guard'];
  expect([first?.calls, first?.rowsWritten, next?.calls, next?.rowsWritten]).toEqual([1, 0, 1, 0]);
});

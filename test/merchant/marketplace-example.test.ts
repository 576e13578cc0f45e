/** Runs the example of a marketplace: three vendors, one basket, one transfer, and one partial refund. */

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {copyFile, rm} from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import {expect, inject, test} from 'vitest';
import {freePort} from '../../cli/ports.mjs';
import {repoPath} from '../../scripts/lib/repo.mjs';
import {ADDRESS, KEY, pay} from './support/live-worker.ts';
import {copyProject} from './support/package.ts';
import {ORIGIN} from './support/setup-servers.ts';

const workerUrl = inject('workerUrl');

interface ShownOrder {
  readonly state: string;
  readonly parts: readonly object[];
  readonly refunds: readonly object[];
}

test('a shopper pays three vendors with one code, and gets a part of one vendor’s money back, once', async () => {
  const folder = await copyProject(inject('merchantProject'), {});
  await copyFile(repoPath('examples', 'node', 'marketplace.mjs'), path.join(folder, 'marketplace.mjs'));
  const port = String(await freePort());
  const site = `http://localhost:${port}`;
  const marketplace = spawn(process.execPath, ['marketplace.mjs'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {PATH: process.env['PATH'], VEZNE_URL: workerUrl, VEZNE_KEY: KEY, PORT: port, ORIGIN},
  });
  try {
    await once(marketplace.stdout, 'data');
    const [, token = ''] = /session="([^"]+)"/.exec(await (await fetch(site)).text()) ?? [];
    const authorization = `Bearer ${token}`;
    const headers = {...ADDRESS, origin: ORIGIN, authorization, 'content-type': 'application/json'};
    const answer = await fetch(`${workerUrl}/v1/order-code`, {method: 'POST', body: '{}', headers});
    const {order, order_code: code} = (await answer.json()) as {order: string; order_code: string};
    const page = `${site}/orders/${order}`;
    const shown = async () => (await (await fetch(page)).json()) as ShownOrder;
    await pay(code, '169.90');
    await fetch(`${workerUrl}/v1/payment`, {headers});
    await expect.poll(async () => (await shown()).state, {interval: 500}).toBe('paid');

    const returned = {vendor: '32', amount: '20.00', name: 'Deniz Örnek', iban: 'TR330006100519786457841326'};
    const returnGoods = async (number: string, differing = {}) => {
      const body = JSON.stringify({...returned, return: number, ...differing});
      const response = await fetch(page, {method: 'POST', body});
      return [response.status, await response.text()];
    };
    const [status, id] = await returnGoods('1');
    expect([status, await returnGoods('1')]).toEqual([201, [201, id]]);
    const [, other] = await returnGoods('2', {amount: '5.00'});
    expect(other).not.toBe(id);
    expect(await returnGoods('3', {iban: 'TR330006100519786457841327'})).toEqual([422, 'invalid_request']);
    expect(await returnGoods('3', {vendor: 'none'})).toEqual([422, 'The basket has no such vendor.']);
    expect((await fetch(page, {method: 'POST', body: '{'})).status).toBe(400);
    expect((await fetch(`${site}/orders/M-none`)).status).toBe(404);
    const created = {order_code: code, state: 'created', refunded: '0.00'};
    expect(await shown()).toMatchObject({
      parts: [
        {...created, sub_merchant_id: '31', amount: '100.00', payout: '90.00', fee: '10.00'},
        {...created, sub_merchant_id: '32', amount: '49.90', payout: '44.91', fee: '4.99'},
        {...created, sub_merchant_id: '33', amount: '20.00', payout: '18.00', fee: '2.00'},
      ],
      refunds: [
        {id, sub_merchant_id: '32', amount: '20.00', state: 'waiting'},
        {id: other, sub_merchant_id: '32', amount: '5.00', state: 'waiting'},
      ],
    });
  } finally {
    marketplace.kill();
    await rm(folder, {recursive: true, force: true});
  }
});

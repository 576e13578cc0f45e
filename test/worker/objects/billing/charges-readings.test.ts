/**
 * How the Worker finds charges, whichever spelling of a time, whichever columns and whichever sequence the searches of
 * mobile billing have, under the platform's real limits.
 */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {PaymentPage} from '../../../../worker/contract/browser/answers.ts';
import type {Service} from '../../../../worker/objects/service/service.ts';
import {advance, DAY, SECOND} from '../../support/clock.ts';
import {alarmIn} from '../../support/durable-objects.ts';
import {freshWorker, liftLimitsPerSecond} from '../../support/fresh-worker.ts';
import {askAsPage, openSession, read, showPayment} from '../../support/page.ts';
import {calls, control, setFault} from '../../support/sandbox.ts';
import {newNumber, payOn} from '../../support/subscriber.ts';

freshWorker();

const SEARCH = '/micropayment/transactions/search';
const serviceObject = (): DurableObjectStub<Service> => contextOf(env).objects.service('DEMO');
const poll = () => runDurableObjectAlarm(serviceObject());
/** Polls when the next poll is due. */
async function pollNext(): Promise<void> {
  await advance(Math.max(0, (await alarmIn(serviceObject())) ?? 0));
  await poll();
}

/** The character between date and time in each search that the platform received. */
async function separators(): Promise<string[]> {
  const searches = (await calls()).filter(({path}) => path === SEARCH);
  return searches.map(({params}) => (/\d{4}-\d{2}-\d{2}(.)\d{2}:/.exec(JSON.stringify(params)) ?? [])[1] ?? 'none');
}

/** Opens the payment page of a new order. */
async function openPaymentPage(): Promise<{token: string; url: string}> {
  const {token} = await openSession();
  const {url} = read(await askAsPage('POST', '/v1/payment-pages', {token, body: {}}), PaymentPage);
  return {token, url};
}

test.for<[spelling: string, sent: string[]]>([
  ['space', [' ']],
  ['iso', [' ', 'T']],
])(
  'if the platform reads only times in the spelling "%s", a charge is found within two polls',
  async ([search_time, sent]) => {
    await control('readings', {search_time});
    const {token, url} = await openPaymentPage();
    await payOn(url);
    for (const _separator of sent) {
      await poll();
      await advance(3 * SECOND);
    }
    expect((await showPayment(token)).state).toBe('paid');
    expect(await separators()).toEqual(sent);
  },
);

describe('without the limits per second, for which these tests would wait', () => {
  liftLimitsPerSecond();

  test('if the platform refuses every search, each spelling is tried once an hour, and the newest charges once a day', async () => {
    await openPaymentPage();
    await setFault({operation: SEARCH, kind: 'status', status: 'API_ERR_1023'});
    for (let count = 0; count < 6; count += 1) await pollNext();
    expect(await separators()).toEqual([' ', 'T', ' ', 'none', 'none', 'none']);
    await advance(DAY);
    await openPaymentPage();
    for (let count = 0; count < 4; count += 1) await pollNext();
    expect((await separators()).slice(6)).toEqual([' ', 'T', ' ', 'none']);
  });

  test('after one temporary refusal, the spelling that the platform accepts is used again', async () => {
    await control('readings', {search_time: 'space'});
    const {token, url} = await openPaymentPage();
    await setFault({operation: SEARCH, kind: 'status', status: 'API_ERR_1023', times: 1});
    await payOn(url);
    for (let count = 0; count < 3; count += 1) await pollNext();
    expect(await separators()).toEqual([' ', 'T', ' ']);
    expect((await showPayment(token)).state).toBe('paid');
  });

  test('a failure that is not about the values does not change the spelling', async () => {
    await openPaymentPage();
    for (const fault of [{kind: '500-html'} as const, {kind: 'status', status: 'API_ERR_1004'} as const]) {
      await setFault({operation: SEARCH, times: 1, ...fault});
      await poll();
      await advance(15 * SECOND);
    }
    expect(new Set(await separators())).toEqual(new Set([' ']));
  });

  test.for([
    {charge_changes: 'refused', search_sort: 'oldest_first'},
    {charge_changes: 'failed', search_sort: 'newest_first'},
    {charge_changes: 'ignored', search_sort: 'followed'},
  ])(
    'with the reading %j, a charge is found among more older charges than a search has, and the next one at once',
    async (reading) => {
      await control('readings', {...reading});
      await Promise.all(Array.from({length: 110}, () => control('subscriptions', {msisdn: newNumber()})));
      await advance(2 * DAY);
      const {token, url} = await openPaymentPage();
      await payOn(url);
      const state = async () => (await showPayment(token)).state;
      for (let count = 0; count < 9 && (await state()) !== 'paid'; count += 1) await pollNext();
      expect(await state()).toBe('paid');
      const next = await openPaymentPage();
      expect((await showPayment(next.token)).state).toBe('waiting');
      await pollNext();
      await payOn(next.url);
      const before = (await separators()).length;
      for (let count = 0; count < 2; count += 1) await pollNext();
      expect((await showPayment(next.token)).state).toBe('paid');
      expect((await separators()).length - before).toBe(2);
    },
  );
});

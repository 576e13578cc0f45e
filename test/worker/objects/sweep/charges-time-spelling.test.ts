/** How the Worker learns which spelling of a time mobile billing's searches accept, under the platform's real limits. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {PaymentPage} from '../../../../worker/contract/browser/answers.ts';
import {advance, MINUTE, SECOND} from '../../support/clock.ts';
import {freshWorker, liftLimitsPerSecond} from '../../support/fresh-worker.ts';
import {askAsPage, openSession, read, showPayment} from '../../support/page.ts';
import {calls, control, setFault} from '../../support/sandbox.ts';
import {payOn} from '../../support/subscriber.ts';

freshWorker();

const SEARCH = '/micropayment/transactions/search';
const poll = () => runDurableObjectAlarm(contextOf(env).objects.charges('DEMO'));

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

  test('if the platform refuses both spellings, the spelling with T is tried once an hour', async () => {
    await openPaymentPage();
    await setFault({operation: SEARCH, kind: 'status', status: 'API_ERR_1023'});
    for (const delay of [0, 3 * SECOND, MINUTE, 57 * MINUTE]) {
      await advance(delay);
      await poll();
    }
    expect(await separators()).toEqual([' ', 'T', ' ', ' ']);
    await openPaymentPage();
    for (const delay of [2 * MINUTE, 3 * SECOND, 3 * SECOND]) {
      await advance(delay);
      await poll();
    }
    expect(await separators()).toEqual([' ', 'T', ' ', ' ', ' ', 'T', ' ']);
  });

  test('after one temporary refusal, the spelling that the platform accepts is used again', async () => {
    await control('readings', {search_time: 'space'});
    const {token, url} = await openPaymentPage();
    await setFault({operation: SEARCH, kind: 'status', status: 'API_ERR_1023', times: 1});
    await payOn(url);
    for (let count = 0; count < 3; count += 1) {
      await poll();
      await advance(15 * SECOND);
    }
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
});

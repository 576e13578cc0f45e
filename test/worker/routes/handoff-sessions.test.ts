/** What a session that came from a hand-off may do. */
import {expect, test} from 'vitest';
import {Handoff, RedeemedSession} from '../../../worker/contract/browser.ts';
import {advance, MINUTE} from '../kit/clock.ts';
import {freshHouse} from '../kit/fresh-house.ts';
import {askAsPage, openOrder, read, showPayment} from '../kit/page.ts';
import {expectProblem, PROBLEMS} from '../kit/problem.ts';

freshHouse();

const createHandoff = (token: string) => askAsPage('POST', '/v1/handoffs', {token});

async function openOnPhone(token: string): Promise<string> {
  const {code} = read(await createHandoff(token), Handoff, 201);
  return read(await askAsPage('POST', '/v1/handoffs/redeem', {body: {code}}), RedeemedSession, 201).token;
}

test('the phone shows the payment and hands it on to nobody', async () => {
  const phone = await openOnPhone((await openOrder()).token);
  expect(await showPayment(phone)).toMatchObject({state: 'waiting', amount: '149.90'});
  expectProblem(await createHandoff(phone), PROBLEMS.session_kind);
});

test('the page that made the order still hands it on when it may create no more', async () => {
  const {token} = await openOrder();
  await advance(31 * MINUTE);
  await openOnPhone(token);
});

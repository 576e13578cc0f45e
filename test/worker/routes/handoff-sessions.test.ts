/** What a session that came from a hand-off may do. */
import {expect, test} from 'vitest';
import {Handoff, RedeemedSession} from '../../../worker/contract/browser.ts';
import {advance, MINUTE, wireTime} from '../kit/clock.ts';
import {freshHouse} from '../kit/fresh-house.ts';
import {askAsPage, openOrder, read, showPayment} from '../kit/page.ts';
import {expectProblem, PROBLEMS} from '../kit/problem.ts';
import {openSocket} from '../kit/socket.ts';

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

test('the first device hears that the code was used, by its socket and when it asks', async () => {
  const {token} = await openOrder();
  const desk = await openSocket(token);
  expect(await desk.next()).toMatchObject({state: 'waiting', handed_over_at: null});
  await advance(MINUTE);
  await openOnPhone(token);
  expect(await desk.rest()).toMatchObject([{state: 'waiting', handed_over_at: wireTime()}]);
  expect(await showPayment(token)).toMatchObject({handed_over_at: wireTime()});
  await advance(MINUTE);
  await openOnPhone(token);
  expect(await desk.rest()).toMatchObject([{handed_over_at: wireTime()}]);
});

test('a code that is refused tells nobody anything', async () => {
  const {token} = await openOrder();
  const {code} = read(await createHandoff(token), Handoff, 201);
  for (const wrong of [`x${code.slice(1)}`, code.replace('/DEMO/', '/OTHER/'), 'x']) {
    expect((await askAsPage('POST', '/v1/handoffs/redeem', {body: {code: wrong}})).status).toBe(404);
  }
  expect(await showPayment(token)).toMatchObject({handed_over_at: null});
});

test('the page that made the order still hands it on when it may create no more', async () => {
  const {token} = await openOrder();
  await advance(31 * MINUTE);
  await openOnPhone(token);
});

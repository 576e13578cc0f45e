/** Tests who can open an order with a hand-off, and what the resulting session can do. */

import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {Handoff, HandoffPreview, RedeemedSession} from '../../../../worker/contract/browser/answers.ts';
import {advance, HOUR, MINUTE, SECOND, wireTime} from '../../support/clock.ts';
import {orderObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {openSocket} from '../../support/page-socket.ts';
import {askAsPage, openOrder, ORIGIN, read, SELLER, showPayment, TITLE} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';

freshWorker();

const createHandoff = (token: string) => askAsPage('POST', '/v1/handoffs', {token});

async function openOnPhone(token: string): Promise<string> {
  const {code} = read(await createHandoff(token), Handoff, 201);
  return read(await redeem({code, offer: 'gold'}), RedeemedSession, 201).token;
}

const redeem = (body: object) => askAsPage('POST', '/v1/handoffs/redeem', {body});
const preview = (body: object) => askAsPage('POST', '/v1/handoffs/preview', {body});
const INVALID = {
  status: 404,
  code: 'handoff_invalid',
  title: 'This hand-off was already used, has expired or is wrong.',
};

test('a page may preview a link several times without using it up', async () => {
  const {token, order} = await openOrder();
  const {code} = read(await createHandoff(token), Handoff, 201);
  for (let view = 0; view < 3; view += 1) {
    expect(read(await preview({code, offer: 'gold'}), HandoffPreview)).toEqual({
      title: {tr: 'Ahşap masa lambası', en: 'Wooden table lamp'},
      amount: '149.90',
      currency: 'TRY',
      seller: SELLER,
    });
  }
  expect(read(await redeem({code, offer: 'gold'}), RedeemedSession, 201)).toMatchObject({order, amount: '149.90'});
  for (const used of [await preview({code, offer: 'gold'}), await redeem({code, offer: 'gold'})])
    expectProblem(used, INVALID);
});

test('a link works only for the offer it was made for, and attempts with other offers do not use it up', async () => {
  const {token} = await openOrder();
  const {code} = read(await createHandoff(token), Handoff, 201);
  for (const other of [{code}, {code, offer: 'club'}, {code, offer: 'x'}]) {
    expectProblem(await preview(other), INVALID);
    expectProblem(await redeem(other), INVALID);
  }
  expect((await redeem({code, offer: 'gold'})).status).toBe(201);
});

test('if several devices open a link at the same time, only one of them gets the order', async () => {
  const {token} = await openOrder();
  const {code} = read(await createHandoff(token), Handoff, 201);
  const answers = await Promise.all(Array.from({length: 8}, () => redeem({code, offer: 'gold'})));
  expect(answers.map(({status}) => status).sort()).toEqual([201, 404, 404, 404, 404, 404, 404, 404]);
});

test('a device whose answer was lost can redeem the link again, and no other device can', async () => {
  const {token} = await openOrder();
  const {code} = read(await createHandoff(token), Handoff, 201);
  const phone = {code, offer: 'gold', attempt: 'a-phone-made-this-up'};
  const first = read(await redeem(phone), RedeemedSession, 201);
  const {handed_over_at: openedAt} = await showPayment(token);
  await advance(MINUTE);
  expect(read(await redeem(phone), RedeemedSession, 201)).toEqual({...first, token: expect.any(String) as string});
  expect((await showPayment(token)).handed_over_at).toBe(openedAt);
  for (const other of [
    {...phone, attempt: 'another'},
    {code, offer: 'gold'},
  ])
    expectProblem(await redeem(other), INVALID);
  expectProblem(await preview({code, offer: 'gold'}), INVALID);
});

test('a link expires after ten minutes', async () => {
  const {token} = await openOrder();
  const {code} = read(await createHandoff(token), Handoff, 201);
  await advance(10 * MINUTE - 1);
  expect((await preview({code, offer: 'gold'})).status).toBe(200);
  await advance(1);
  expectProblem(await preview({code, offer: 'gold'}), INVALID);
  expectProblem(await redeem({code, offer: 'gold'}), INVALID);
});

test('a link to an order of the merchant’s server works only for pages without an offer', async () => {
  const {order} = await openOrder();
  const token = await contextOf(env).sessions.sign({
    kind: 'payment',
    origin: ORIGIN,
    terms: {service: 'DEMO', order, amount: 14990, hours: 72},
    createUntil: Date.now() + MINUTE,
    readUntil: Date.now() + HOUR,
  });
  const {code} = read(await createHandoff(token), Handoff, 201);
  expectProblem(await redeem({code, offer: 'gold'}), INVALID);
  expect(read(await preview({code}), HandoffPreview)).toMatchObject({title: TITLE, seller: SELLER});
  const title = {tr: 'Masa', en: 'Table'};
  await orderObject(order).prepare({service: 'DEMO', order, amount: 14990, hours: 72}, {title});
  expect(read(await preview({code}), HandoffPreview)).toEqual({
    title,
    amount: '149.90',
    currency: 'TRY',
    seller: SELLER,
  });
  expect(read(await redeem({code}), RedeemedSession, 201)).toMatchObject({title, order});
});

test('a link works for an order with the longest allowed reference', async () => {
  const order = `${'ş'.repeat(254)}1`;
  const token = await contextOf(env).sessions.sign({
    kind: 'payment',
    origin: ORIGIN,
    terms: {service: 'DEMO', order, amount: 14990, hours: 72},
    createUntil: Date.now() + MINUTE,
    readUntil: Date.now() + HOUR,
  });
  expect((await askAsPage('POST', '/v1/order-code', {token, body: {}})).status).toBe(200);
  const {code} = read(await createHandoff(token), Handoff, 201);
  expect(read(await redeem({code}), RedeemedSession, 201)).toMatchObject({order});
});

test('the second device can show the payment but cannot create another hand-off', async () => {
  const phone = await openOnPhone((await openOrder()).token);
  expect(await showPayment(phone)).toMatchObject({state: 'waiting', amount: '149.90'});
  expectProblem(await createHandoff(phone), PROBLEMS.session_kind);
});

test('the second device gets the code, the reference and the seller of an expired order', async () => {
  const {token, order, code} = await openOrder();
  const phone = await openOnPhone(token);
  await advance(72 * HOUR);
  expect(await showPayment(phone)).toMatchObject({state: 'expired', order, order_code: code, seller: SELLER});
});

test('the first device’s socket and GET /v1/payment report when a link was last used', async () => {
  const {token} = await openOrder();
  const firstDevice = await openSocket(token);
  expect(await firstDevice.next()).toMatchObject({state: 'waiting', handed_over_at: null});
  await advance(MINUTE);
  await openOnPhone(token);
  expect(await firstDevice.rest()).toMatchObject([{state: 'waiting', handed_over_at: wireTime()}]);
  expect(await showPayment(token)).toMatchObject({handed_over_at: wireTime()});
  await advance(MINUTE);
  await openOnPhone(token);
  expect(await firstDevice.rest()).toMatchObject([{handed_over_at: wireTime()}]);
});

test('a refused code does not mark the order as handed over', async () => {
  const {token} = await openOrder();
  const {code} = read(await createHandoff(token), Handoff, 201);
  for (const wrong of [`x${code.slice(1)}`, code.replace('/DEMO/', '/OTHER/'), 'x']) {
    expect((await askAsPage('POST', '/v1/handoffs/redeem', {body: {code: wrong, offer: 'gold'}})).status).toBe(404);
  }
  expect(await showPayment(token)).toMatchObject({handed_over_at: null});
});

test('the first device can create a hand-off after its session may no longer create order codes', async () => {
  const {token} = await openOrder();
  await advance(31 * MINUTE);
  await openOnPhone(token);
});

/** Signs a session with which a page may read this order for `readFor` ms and create hand-offs. */
async function signSession(order: string, {readFor, hours = 72}: {readFor: number; hours?: number}): Promise<string> {
  const now = Date.now();
  const terms = {service: 'DEMO', order, amount: 14_990, hours};
  const times = {createUntil: now + readFor, readUntil: now + readFor};
  return contextOf(env).sessions.sign({kind: 'payment', origin: ORIGIN, terms, ...times, offer: 'gold'});
}

test('a hand-off ends with the session that created it, even if another session lasts longer', async () => {
  const {token, order} = await openOrder();
  const first = read(await createHandoff(token), Handoff, 201);
  const ending = await signSession(order, {readFor: 6 * SECOND});
  const second = read(await createHandoff(ending), Handoff, 201);
  expect(second.code).not.toBe(first.code);
  expect(second.expires_at).toBe(wireTime(Date.now() + 6 * SECOND));
  const session = read(await redeem({code: second.code, offer: 'gold'}), RedeemedSession, 201);
  expect(session.read_until).toBe(wireTime(Date.now() + 6 * SECOND));
  const {code: third} = read(await createHandoff(ending), Handoff, 201);
  await advance(6 * SECOND);
  expectProblem(await redeem({code: third, offer: 'gold'}), INVALID);
  expect((await redeem({code: first.code, offer: 'gold'})).status).toBe(201);
});

test('two sessions of one order get different hand-offs if the sessions have different hours to pay', async () => {
  const {order} = await openOrder();
  const codes = await Promise.all(
    [72, 24].map(
      async (hours) => read(await createHandoff(await signSession(order, {readFor: HOUR, hours})), Handoff, 201).code,
    ),
  );
  expect(new Set(codes).size).toBe(2);
});

/** Tests the receipts of consents to subscriptions: what was shown, how it was confirmed, and from which network. */

import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {formatInstant, formatMonth} from '../../../../worker/lib/time.ts';
import {digestTexts} from '../../../../worker/objects/archive/consent-store.ts';
import {advance, DAY, MINUTE} from '../../support/clock.ts';
import {isStored, replaceBindings, storedIn} from '../../support/durable-objects.ts';
import {openMerchantSession, openSubscription, ORIGIN} from '../../support/page.ts';
import {control, setFault} from '../../support/sandbox.ts';
import {awaitPins, newNumber, oneClick, receivePin, subscribe} from '../../support/subscriber.ts';
import {call, expectProblem, fieldsOf, read} from './support/merchant-server.ts';

awaitPins();

const TITLE = {tr: 'Kulüp üyeliği', en: 'Club membership'};
const TERMS = {
  tr: 'İlk ücret üyelik başladığında alınır. Üyeler yeni ürünleri iki gün önceden görür.',
  en: 'You pay the first week when your membership starts. Members see new products two days early.',
};
const consents = (at = Date.now()) => contextOf(env).objects.archivedConsents(formatMonth(at));
const list = async (address?: string) =>
  (await read('listConsents', {tracking_id: 't-81c4', ...(address !== undefined && {address})})).items;

/** Without mobile billing, the answer waits for the receipt, and no lookup gives the receipt an id. */
const turnBillingOff = async (key: string) =>
  replaceBindings(await contextOf(env).objects.subscriber(key), {MICROPAYMENT_URL: undefined});

async function receivePinWithoutBilling(token: string) {
  const msisdn = newNumber();
  const pin = await receivePin({token, msisdn});
  await turnBillingOff(msisdn);
  return {token, msisdn, pin};
}

async function subscribeByPin(openToken: string, language?: string) {
  const {token, msisdn, pin} = await receivePinWithoutBilling(openToken);
  const answer = await subscribe({token, msisdn, pin, address: '198.51.100.7', ...(language && {language})});
  return {answer, msisdn};
}

/** Gives the receipt the id of its subscription, as `AttemptWork` does. */
const assign = (subscription: string, startedAt: number | null = null) =>
  consents().assignSubscription({trackingId: 't-81c4', service: 'DEMO', subscription, startedAt});

test('a subscription by PIN leaves a receipt of what its offer showed', async () => {
  const {token} = await openSubscription();
  const {answer, msisdn} = await subscribeByPin(token, 'en');
  expect(answer.status).toBe(201);
  const [receipt, ...others] = await list('198.51.100.7');
  expect(others).toEqual([]);
  expect(receipt).toEqual({
    id: expect.stringMatching(/^con_[0-9a-f]{32}$/) as string,
    tracking_id: 't-81c4',
    service: null,
    subscription_id: null,
    product: 77,
    offer: 'club',
    origin: ORIGIN,
    title: TITLE,
    terms: TERMS,
    texts_digest: await digestTexts({title: TITLE, terms: TERMS}),
    language: 'en',
    price: '12.00',
    currency: 'TRY',
    period: 'weekly',
    trial_days: null,
    confirmed_by: 'pin',
    confirmed_at: formatInstant(Date.now()),
    outcome: 'subscribed',
    network: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    network_matches: true,
  });
  expect((await list('198.51.100.8'))[0]?.network_matches).toBe(false);
  const stored = JSON.stringify(await storedIn(consents()));
  for (const person of [msisdn, '198.51.100.7']) expect(stored).not.toContain(person);
});

test('the receipt of a one-click subscription says that the shopper confirmed with a click', async () => {
  const {token} = await openSubscription();
  const {number_token} = await control<{number_token: string}>('number-tokens', {msisdn: '5321234567', operator: 4});
  await turnBillingOff(`token ${number_token}`);
  const answer = await oneClick({token, number_token});
  expect(answer.status, answer.text).toBe(201);
  expect(await list()).toMatchObject([{confirmed_by: 'click', outcome: 'subscribed', terms: TERMS, language: null}]);
});

test('a request with a language other than those of offers is refused, and leaves no receipt', async () => {
  const {token} = await openSubscription();
  const {answer} = await subscribeByPin(token, 'de');
  expect(answer.status).toBe(422);
  expect(await list()).toEqual([]);
});

test('the receipt for a session of the merchant’s server has the texts and the price of that session', async () => {
  const title = {tr: 'Haber', en: 'News'};
  const terms = {tr: 'Ayda bir.', en: 'Once a month.'};
  const {token} = await openMerchantSession({
    kind: 'subscription',
    origin: ORIGIN,
    product: 77,
    price: '12.00',
    period: 'monthly',
    title,
    terms,
    operators: [{id: 1, name: 'Bir'}],
  });
  await subscribeByPin(token);
  expect(await list()).toMatchObject([{title, terms, period: 'monthly', price: '12.00', offer: null}]);
});

test('the operator changes the terms while a page is open: the receipt names the texts that were shown', async () => {
  const shopper = await receivePinWithoutBilling((await openSubscription()).token);
  const club = {...contextOf(env).config.offers.get('club'), terms: {tr: 'Yeni.', en: 'New.'}};
  const bindings = {OFFERS: {club}};
  const {status, text} = await subscribe({...shopper, bindings});
  expect(status, text).toBe(201);
  const shown = await digestTexts({title: TITLE, terms: TERMS});
  expect(await list()).toMatchObject([{texts_digest: shown, title: null, terms: null}]);
  await subscribeByPin((await openSubscription()).token);
  expect(await list()).toMatchObject([
    {texts_digest: shown, terms: TERMS},
    {texts_digest: shown, terms: TERMS},
  ]);
});

test('a wrong PIN leaves no receipt, and a repeated request leaves no second one', async () => {
  const shopper = await receivePinWithoutBilling((await openSubscription()).token);
  await subscribe({...shopper, pin: '0000'});
  expect(await list()).toEqual([]);
  expect(await isStored(consents())).toBe(false);
  for (let request = 0; request < 2; request += 1) await subscribe(shopper);
  expect(await list()).toHaveLength(1);
});

test('after a lost answer the receipt says that the outcome is unknown, until a retry succeeds', async () => {
  const {token} = await openSubscription();
  const msisdn = newNumber();
  const pin = await receivePin({token, msisdn});
  await setFault({operation: '/landing/subscription-request', kind: 'empty', times: 1});
  const {status} = await subscribe({token, msisdn, pin});
  expect(status).toBeGreaterThanOrEqual(500);
  await expect.poll(() => list()).toMatchObject([{outcome: 'unknown'}]);
  await advance(MINUTE);
  expect((await subscribe({token, msisdn, pin})).status).toBe(201);
  expect(await list()).toMatchObject([{outcome: 'subscribed'}]);
});

const terms = (text: string) => ({title: TITLE, terms: {tr: text, en: text}});

test('if the terms change after a lost answer, the receipt has the texts, price and time of the retry', async () => {
  const confirm = async (text: string, outcome: 'unknown' | 'subscribed', price: number) =>
    consents().addReceipt({
      trackingId: 't-81c4',
      attempt: 'a',
      network: '198.51.100.7',
      product: 77,
      offer: 'club',
      origin: ORIGIN,
      language: null,
      price,
      period: 'weekly',
      trialDays: null,
      confirmedBy: 'pin',
      outcome,
      texts: terms(text),
      textsDigest: await digestTexts(terms(text)),
      at: Date.now(),
    });
  await confirm('Old.', 'unknown', 1_200);
  await advance(MINUTE);
  await confirm('New.', 'subscribed', 1_900);
  expect(await list()).toMatchObject([
    {
      ...terms('New.'),
      texts_digest: await digestTexts(terms('New.')),
      price: '19.00',
      confirmed_at: formatInstant(Date.now()),
    },
  ]);
});

test('a receipt can be read by its subscription’s id as soon as mobile billing has shown the id', async () => {
  const {token} = await openSubscription();
  await subscribeByPin(token);
  expectProblem(await call('getConsent', {service: 'DEMO', id: '4001'}), 'not_found');
  for (let times = 0; times < 2; times += 1) expect(await assign('4001')).toBe(true);
  const receipt = await read('getConsent', {service: 'DEMO', id: '4001'});
  expect(receipt).toMatchObject({service: 'DEMO', subscription_id: '4001', tracking_id: 't-81c4'});
  expect(await list()).toEqual([receipt]);
  expect(await read('getConsent', {service: '1' as never, id: '4001'})).toEqual(receipt);
});

test('an older subscription with the same tracking id does not get the receipt', async () => {
  const {token} = await openSubscription();
  await subscribeByPin(token);
  expect(await assign('3001', Date.now() - 40 * DAY)).toBe(false);
  expect(await assign('4001', Date.now() - MINUTE)).toBe(true);
  expect((await call('getConsent', {service: 'DEMO', id: '4001'})).status).toBe(200);
  expectProblem(await call('getConsent', {service: 'DEMO', id: '3001'}), 'not_found');
});

test('a receipt is kept for 400 days', async () => {
  const {token} = await openSubscription();
  await subscribeByPin(token);
  await advance(400 * DAY - MINUTE);
  expect(await list()).toHaveLength(1);
  await advance(2 * MINUTE);
  expect(await list()).toEqual([]);
});

test('unknown ids have no receipt, invalid fields are refused, and reading stores nothing', async () => {
  expect(await list('192.0.2.7')).toEqual([]);
  expectProblem(await call('getConsent', {service: 'DEMO', id: '9'}), 'not_found');
  expect((await call('getConsent', {service: 'NOPE', id: '9'})).body).toMatchObject({code: 'unknown_service'});
  for (const [input, fields] of [
    [{tracking_id: 'x'.repeat(256)}, ['tracking_id']],
    [{tracking_id: 't', address: '300.1.1.1'}, ['address']],
    [{}, ['tracking_id']],
  ] as const)
    expect(fieldsOf(await call('listConsents', input))).toEqual(fields);
  expect(await isStored(consents())).toBe(false);
});

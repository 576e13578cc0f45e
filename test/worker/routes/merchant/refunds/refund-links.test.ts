/** Tests refund links, from the merchant's request to the refund at the platform: one link is at most one refund. */

import {abortAllDurableObjects, runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, test} from 'vitest';
import {contextOf} from '../../../../../worker/context.ts';
import {ShownRefund} from '../../../../../worker/contract/browser/answers.ts';
import type {Objects} from '../../../../../worker/objects.ts';
import {fingerprint} from '../../../../../worker/objects/commands/iban-fingerprint.ts';
import {findRefundable} from '../../../../../worker/objects/refunds/find-refundable.ts';
import {advance, DAY, HOUR, MINUTE, SECOND, wireTime} from '../../../support/clock.ts';
import {countObjectCalls, everythingStored, runSweep} from '../../../support/durable-objects.ts';
import {captureLog, checkLog, logLines} from '../../../support/log-lines.ts';
import {askAsPage, read as readPage} from '../../../support/page.ts';
import {hold, pay, release, untilHeld} from '../../../support/sandbox.ts';
import {call, expectProblem, newKey, newOrder, read} from '../support/merchant-server.ts';
import {platformCalls} from '../support/platform-calls.ts';
import {contact, injectFault, liftPlatformLimits, runAlarmAfter, service} from '../support/refundable-orders.ts';

const OTHER = {name: 'Ege Başka', iban: 'TR32 0010 0099 9990 1234 5678 90'};

liftPlatformLimits();

const refundCalls = async () => (await platformCalls('/refund/create')).length;
const refunds = () => contextOf(env).objects.refunds();

/** An order of 100.00 for which this amount arrived. */
async function orderWith(arrived: string): Promise<string> {
  const order = newOrder();
  const {order_code} = await read('createOrderCode', {
    service,
    order,
    amount: '100.00',
    title: {tr: 'Seramik lamba', en: 'Ceramic lamp'},
    seller: {name: 'Fener Atölyesi'},
  });
  await pay({order_code, amount: arrived});
  await runSweep();
  return order;
}

const tokenOf = ({url}: {readonly url: string}) => url.split('/').at(-1) ?? '';

/** A link of an order that was overpaid by 50.00. */
async function overpaidLink() {
  const order = await orderWith('150.00');
  const link = await read('createRefundLink', {service, order});
  return {order, id: link.id, url: link.url, link: tokenOf(link)};
}

const post = (path: string, body: object) => askAsPage('POST', path, {body});
const preview = async (link: string) => readPage(await post('/v1/refund-links/preview', {link}), ShownRefund);
const send = async (link: string, person: object = contact) =>
  readPage(await post('/v1/refund-contacts', {link, ...person}), ShownRefund).state;
const stateOf = async (id: string) => (await read('getRefundLink', {id})).state;

test('a shopper gets an excess back with a link, and the merchant hears of it without a person', async () => {
  const {order, id, url, link} = await overpaidLink();
  expect(url).toMatch(/^https:\/\/pay\.example\/r\/[\w-]{30}$/);
  expect(await preview(link)).toMatchObject({
    state: 'open',
    amount: '50.00',
    seller: {name: 'Fener Atölyesi'},
    title: {en: 'Ceramic lamp'},
  });
  captureLog();
  expect(await send(link)).toBe('sent');
  checkLog();
  expect(JSON.stringify(logLines())).not.toContain(link);
  expect(await preview(link)).toMatchObject({state: 'used'});
  const [sent] = await platformCalls('/refund/create');
  expect(sent?.params).toMatchObject({order, 'contact[name]': contact.name, 'contact[iban]': contact.iban});
  const used = await read('getRefundLink', {id});
  expect(used).toMatchObject({state: 'used', reason: 'overpaid', amount: '50.00'});
  const {payment, refunds: made} = await read('getOrder', {service, order});
  expect(payment?.refundable).toEqual({amount: '0.00', reason: null, left: '100.00'});
  expect(made).toMatchObject([{id: used.refund_id, refund_link_id: id, amount: '50.00'}]);
  const {items} = await read('listEvents', {});
  expect(items.filter(({type}) => type === 'refund.requested').map(({data}) => data)).toMatchObject([
    {refund_id: used.refund_id, refund_link_id: id, order},
  ]);
  const stored = `${await everythingStored()}${JSON.stringify(items)}`;
  for (const secret of [link, contact.name, contact.iban]) expect(stored).not.toContain(secret);
});

describe('a link makes one refund', () => {
  test('if it is used again: the same details get the outcome, others nothing', async () => {
    const {link} = await overpaidLink();
    const spelled = {name: ` ${contact.name.toLowerCase()} `, iban: contact.iban.replace(/(....)/g, '$1 ')};
    expect([await send(link), await send(link, spelled), await send(link, OTHER)]).toEqual(['sent', 'sent', 'used']);
    expect(await refundCalls()).toBe(1);
  });

  test.for([
    ['the same details', contact, 'sent'],
    ['different details', OTHER, 'checking'],
  ] as const)('if it is used twice at once with %s', async ([, person, expected]) => {
    const {link} = await overpaidLink();
    await hold('/refund/create', {after: true});
    const first = send(link);
    await untilHeld();
    const second = send(link, person);
    // Other details are refused at once; the same details wait for the outcome.
    if (expected === 'checking') expect(await second).toBe(expected);
    await release('/refund/create');
    expect([await first, await second]).toEqual(['sent', expected]);
    expect(await refundCalls()).toBe(1);
  });

  test('if many use it at once, each with other details', async () => {
    const {link} = await overpaidLink();
    const states = await Promise.all(
      Array.from({length: 12}, (_, number) => send(link, {...contact, name: `Deniz Örnek ${'abcdefghijkl'[number]}`})),
    );
    expect(states.filter((state) => state === 'sent')).toHaveLength(1);
    expect(await refundCalls()).toBe(1);
  });

  test('if the platform’s answer is lost', async () => {
    const {link} = await overpaidLink();
    await injectFault('/refund/create', 'empty', {after: true, times: 1});
    expect(await send(link)).toBe('sent');
    expect([await send(link), await send(link, OTHER)]).toEqual(['sent', 'used']);
    expect(await refundCalls()).toBe(1);
  });

  test('if the outcome is unknown, and then turns out as not done', async () => {
    const {link, id} = await overpaidLink();
    await injectFault('/refund/create', 'empty', {times: 1});
    expect([await send(link), await send(link), await send(link, OTHER)]).toEqual(['checking', 'checking', 'checking']);
    expect([await stateOf(id), (await preview(link)).state]).toEqual(['sending', 'checking']);
    for (const minutes of [1, 2, 3, 4, 5, 6]) await runAlarmAfter(minutes * MINUTE);
    expect([await stateOf(id), await send(link, OTHER)]).toEqual(['open', 'sent']);
    expect(await refundCalls()).toBe(2);
    expect((await read('listRefunds', {order: (await read('getRefundLink', {id})).order})).items).toHaveLength(1);
  });

  test('if every process dies while the platform makes it', async () => {
    const {link} = await overpaidLink();
    await hold('/refund/create', {after: true});
    const first = post('/v1/refund-contacts', {link, ...contact});
    await untilHeld();
    await abortAllDurableObjects();
    await first;
    await release('/refund/create');
    await runAlarmAfter(MINUTE);
    expect([await send(link), await send(link, OTHER)]).toEqual(['sent', 'used']);
    expect(await refundCalls()).toBe(1);
  });

  test.for([
    ['the same details', contact],
    ['other details', OTHER],
  ] as const)('with %s, if the process died before the first ones were sent', async ([, person]) => {
    const {link, id} = await overpaidLink();
    const claim = await refunds().claimLink(id, ['an HMAC of the first details']);
    expect(claim?.isOwn).toBe(true);
    await abortAllDurableObjects();
    expect(await send(link, person)).toBe('checking');
    await advance(MINUTE);
    expect(await send(link, person)).toBe('sent');
    // The first details come late: their command can never be begun.
    const outcome = await contextOf(env)
      .objects.commands(service)
      .run(`${id}.1`, {
        name: 'createRefund',
        input: {service, order: claim?.link.order, amount: '50.00', contact},
        mayQueue: false,
        askedBy: null,
      });
    expect(outcome.state).toBe('failed');
    expect(await refundCalls()).toBe(1);
  });

  test('and is open again a minute after a process died before it sent anything', async () => {
    const {link, id} = await overpaidLink();
    await refunds().claimLink(id, ['an HMAC']);
    expect((await preview(link)).state).toBe('checking');
    await advance(MINUTE);
    expect((await preview(link)).state).toBe('open');
  });
});

/** Claims the link for these details as a request does that dies before its command begins. */
async function claimAndDie(id: string, {name, iban}: typeof contact) {
  const person = `refund contact\n${name.toLocaleUpperCase('tr')}\n${iban.replaceAll(' ', '')}`;
  await refunds().claimLink(id, [await fingerprint(person, contextOf(env).config.sessionSecrets[0])]);
}

describe.for([
  ['the same details', contact],
  ['other details', OTHER],
] as const)('after a request died before it sent anything, a link that gets %s', ([, person]) => {
  test('gives nothing back if the excess was sent back in the meantime', async () => {
    const {order, id, link} = await overpaidLink();
    await claimAndDie(id, contact);
    await read('createRefund', {service, order, amount: '50.00', contact});
    if (person === OTHER) await advance(MINUTE);
    expect(await send(link, person)).toBe('unavailable');
    expect(await refundCalls()).toBe(1);
  });

  test('gives nothing back if the merchant withdrew it', async () => {
    const {id, link} = await overpaidLink();
    await claimAndDie(id, contact);
    expect((await read('withdrawRefundLink', {id})).state).toBe('withdrawn');
    expect([await send(link, person), await stateOf(id), await refundCalls()]).toEqual(['withdrawn', 'withdrawn', 0]);
  });

  test('gives nothing back if the request that withdrew it died too, or if it has expired', async () => {
    const [withdrawn, expired] = [await overpaidLink(), await overpaidLink()];
    await claimAndDie(withdrawn.id, contact);
    await refunds().withdrawLink(withdrawn.id);
    if (person === OTHER) await advance(MINUTE);
    expect(await send(withdrawn.link, person)).toBe('withdrawn');
    await claimAndDie(expired.id, contact);
    await advance(15 * DAY);
    expect([await send(expired.link, person), await refundCalls()]).toEqual(['expired', 0]);
  });

  test('sends nothing if the first command may have been forgotten, because it could not be verified', async () => {
    const order = await orderWith('150.00');
    const {id, ...link} = await read('createRefundLink', {service, order, hours: 2160});
    await claimAndDie(id, contact);
    await advance(30 * DAY);
    expect([await send(tokenOf(link), person), await stateOf(id)]).toEqual(['checking', 'sending']);
    expect(await refundCalls()).toBe(0);
  });
});

test('a link that is withdrawn while its refund is unknown is not open again after the refund has failed', async () => {
  const {link, id} = await overpaidLink();
  await injectFault('/refund/create', 'empty', {times: 1});
  expect([await send(link), (await read('withdrawRefundLink', {id})).state]).toEqual(['checking', 'sending']);
  for (const minutes of [1, 2, 3, 4, 5, 6]) await runAlarmAfter(minutes * MINUTE);
  expect([await send(link), await stateOf(id), await refundCalls()]).toEqual(['withdrawn', 'withdrawn', 1]);
});

test('a refund that is reported while the order is read is not counted as money that is left', async () => {
  const order = await orderWith('150.00');
  const {objects} = contextOf(env);
  let isReported = false;
  const once = <T>(before: T, after: T) => {
    const answer = isReported ? after : before;
    isReported = true;
    return Promise.resolve(answer);
  };
  const handingOver = {
    order: (...name: [string, string]) => objects.order(...name),
    commands: () => ({unreportedRefunds: () => once(5_000, 0)}),
    refunds: () => ({ofOrder: () => once([], [{state: 'waiting', amount: 5_000}])}),
  } as unknown as Objects;
  expect((await findRefundable(handingOver, service, order))?.refundable.amount).toBe(0);
});

test('only refusals of the platform use a link up, and then the page and the merchant hear the same', async () => {
  const {link, id} = await overpaidLink();
  const attempt = async (isRefused: boolean) => {
    const claimed = await refunds().claimLink(id, ['an HMAC']);
    await refunds().releaseLink(id, claimed?.link.attempt ?? 0, isRefused);
  };
  for (let number = 0; number < 25; number += 1) await attempt(false);
  for (let number = 0; number < 18; number += 1) await attempt(true);
  await injectFault('/refund/create', 'status', {status: 'ERR_099', times: 2});
  expect([await send(link), await stateOf(id), await send(link)]).toEqual(['refused', 'open', 'withdrawn']);
  expect([(await preview(link)).state, await stateOf(id)]).toEqual(['withdrawn', 'withdrawn']);
});

test('after the platform has refused an account, the shopper may enter another one', async () => {
  const {link, id} = await overpaidLink();
  await injectFault('/refund/create', 'status', {status: 'ERR_099', times: 1});
  expect([await send(link), await stateOf(id), await send(link, OTHER)]).toEqual(['refused', 'open', 'sent']);
});

test('if nothing could be sent, the page hears that it may try again', async () => {
  const {link, id} = await overpaidLink();
  await injectFault('/refund/getByOrder', '500-html', {times: 6});
  const answer = await post('/v1/refund-contacts', {link, ...contact});
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '10']);
  await release('/refund/getByOrder');
  expect([await stateOf(id), await send(link)]).toEqual(['open', 'sent']);
});

test('a link gives back only what is still there when it is used', async () => {
  const {order, link} = await overpaidLink();
  await read('createRefund', {service, order, amount: '50.00', contact});
  expect((await preview(link)).state).toBe('unavailable');
  expect(await send(link)).toBe('unavailable');
  // The order has 100.00 left, which is not the excess.
  expect(await refundCalls()).toBe(1);
});

test('a link of an order that was completed gives nothing back', async () => {
  const {order, link} = await overpaidLink();
  await read('completeOrder', {service, order});
  expect([(await preview(link)).state, await send(link)]).toEqual(['unavailable', 'unavailable']);
});

const tooLarge = (message: string) => ({fields: [{path: 'amount', message}]});

test('links never promise more than is left, together with the refunds', async () => {
  const order = await orderWith('150.00');
  const first = await read('createRefundLink', {service, order});
  const refusal = tooLarge('Name an amount. At most 0.00 is left beside refunds and open links.');
  expectProblem(await call('createRefundLink', {service, order}), 'refund_too_large', refusal);
  expectProblem(
    await call('createRefundLink', {service, order, amount: '100.01'}),
    'refund_too_large',
    tooLarge('Name an amount. At most 100.00 is left beside refunds and open links.'),
  );
  expect(await read('withdrawRefundLink', {id: first.id})).toMatchObject({state: 'withdrawn'});
  const second = await read('createRefundLink', {service, order, amount: '150'});
  expect(second).toMatchObject({amount: '150.00', reason: null});
  expect([(await preview(tokenOf(first))).state, await send(tokenOf(first))]).toEqual(['withdrawn', 'withdrawn']);
  expect(await send(tokenOf(second))).toBe('sent');
});

test('a paid order is no reason to send money back, so its link needs an amount', async () => {
  const order = await orderWith('100.00');
  expectProblem(await call('createRefundLink', {service, order}), 'refund_too_large', {
    fields: [{path: 'amount', message: 'Name an amount. At most 100.00 is left beside refunds and open links.'}],
  });
  expectProblem(await call('createRefundLink', {service, order: newOrder()}), 'unknown_order');
});

test('a link expires, and is deleted a month later', async () => {
  const order = await orderWith('150.00');
  const expires_at = new Date(Date.now() + 2 * HOUR).toISOString();
  for (const wrong of [{hours: 1, expires_at}, {expires_at: '2020-01-01T00:00:00Z'}, {hours: 2161}])
    expect((await call('createRefundLink', {service, order, ...wrong})).body).toMatchObject({code: 'invalid_request'});
  const {id, ...link} = await read('createRefundLink', {service, order, expires_at});
  expect(link.expires_at).toBe(wireTime(Date.parse(expires_at)));
  await advance(2 * HOUR);
  expect([(await preview(tokenOf(link))).state, await send(tokenOf(link))]).toEqual(['expired', 'expired']);
  expect(await stateOf(id)).toBe('expired');
  await advance(31 * DAY);
  await runDurableObjectAlarm(refunds());
  expectProblem(await call('getRefundLink', {id}), 'not_found');
});

test('a repeated request has the same link, also while the first one runs', async () => {
  const order = await orderWith('150.00');
  const key = newKey();
  const input = {service, order};
  const [first, second] = await Promise.all([1, 2].map(() => call('createRefundLink', input, {key})));
  expect([first?.status, second?.status, second?.text]).toEqual([201, 201, first?.text]);
  expect((await call('createRefundLink', input, {key})).text).toBe(first?.text);
});

test('a link stays the same, and open, when its request is repeated after SESSION_SECRET was replaced', async () => {
  const input = {service, order: await orderWith('150.00')};
  const key = newKey();
  const link = await read('createRefundLink', input, {key});
  const bindings = {SESSION_SECRET: 'sandbox-a-new-session-secret-long-enough'};
  expect(await read('createRefundLink', input, {key, bindings})).toEqual(link);
  expect(await preview(tokenOf(link))).toMatchObject({state: 'open', amount: '50.00'});
});

test('details that no bank could know are refused with their field', async () => {
  const {link} = await overpaidLink();
  const refused = {
    name: {link, name: '1', iban: contact.iban},
    iban: {link, name: 'Deniz', iban: 'TR330006100519786457841327'},
    amount: {link, ...contact, amount: '1.00'},
  };
  for (const [path, body] of Object.entries(refused)) {
    const answer = await post('/v1/refund-contacts', body);
    expect([answer.status, answer.body]).toMatchObject([422, {code: 'invalid_request', fields: [{path}]}]);
  }
  expect(await refundCalls()).toBe(0);
});

/** What is stored; objects that woke and stored nothing are left out. */
const stored = async () => (await everythingStored()).replaceAll('[[],[]],', '');

test('who invents hundreds of links finds none, wakes only a counter, and keeps no neighbour at the address from theirs', async () => {
  const {link} = await overpaidLink();
  await preview(link);
  const headers = {'cf-connecting-ip': '198.51.100.7'};
  const used = new Map<string, number>();
  const limit = ({key}: {key: string}) => {
    used.set(key, (used.get(key) ?? 0) + 1);
    return Promise.resolve({success: (used.get(key) ?? 0) <= 300});
  };
  const isolate: Env = {...env, ADDRESS_RATE: {limit}};
  const from = (path: string, body: object) => askAsPage('POST', path, {body, headers, isolate});
  const guess = async (token: string) => (await from('/v1/refund-links/preview', {link: token})).status;
  const wrong = [`${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`, link.slice(0, -1), `${link}x`, 'short'];
  const random = Array.from({length: 316}, (_none, number) => `${String(number).padEnd(16, 'x')}${link.slice(16)}`);
  const before = await stored();
  const statuses: number[] = [];
  const calls = await countObjectCalls(async () => {
    for (const token of [...wrong, ...random]) statuses.push(await guess(token));
  });
  expect(statuses.slice(0, 10)).toEqual(Array.from({length: 10}, () => 404));
  expect(new Set(statuses.slice(10))).toEqual(new Set([429]));
  expect(calls).toEqual({'Guard.count': 11, 'Offers.linkKey': 1});
  expect((await stored()) === before).toBe(true);
  expect((await from('/v1/refund-links/preview', {link})).body).toMatchObject({state: 'open'});
  expect((await from('/v1/refund-contacts', {link, ...contact})).body).toMatchObject({state: 'sent'});
  expect((await from('/v1/refund-links/preview', {link})).body).toMatchObject({state: 'used'});
});

test('an isolate reads a link once in five seconds, so a link says at the latest then that it was withdrawn', async () => {
  const {id, link} = await overpaidLink();
  const isolate = {isolate: {...env}};
  const look = async () => {
    const answer = await askAsPage('POST', '/v1/refund-links/preview', {body: {link}, ...isolate});
    return readPage(answer, ShownRefund).state;
  };
  const calls = await countObjectCalls(async () => {
    for (let count = 0; count < 9; count += 1) expect(await look()).toBe('open');
  });
  expect([calls['Refunds.openLink'], calls['Offers.linkKey']]).toEqual([1, 1]);
  await read('withdrawRefundLink', {id});
  expect(await preview(link)).toMatchObject({state: 'withdrawn'});
  await advance(5 * SECOND);
  expect(await look()).toBe('withdrawn');
});

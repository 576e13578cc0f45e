/** Sends forged requests: with a wrong origin, a wrong return URL or a wrong price. */

import type {Bundles} from './bundles.ts';
import {inParallel, LandingStack, type PageRequest} from './landing-stack.ts';
import {ORIGIN} from './worker-plans.ts';

const CONCURRENCY = 32;

export interface ForgedFigures {
  readonly accepted: number;
  /** How many calls to the platform the requests caused, apart from searches. */
  readonly calls: number;
  /** The number of requests that got each answer. */
  readonly answers: Readonly<Record<string, number>>;
}

type Forged = PageRequest & {readonly path: string};

/** @param count - How many requests to send, a third of each kind. */
export async function sendForged(bundles: Bundles, count: number): Promise<ForgedFigures> {
  const stack = await LandingStack.open(bundles);
  try {
    const tokens = {club: await stack.openSession('club'), gold: await stack.openSession('gold')};
    // Without an order code, the forged requests would have nothing to change.
    await stack.request('/v1/order-code', {token: tokens.gold, body: {}});
    // Searches do not count, because a sweep may search for the order's money at any time.
    const countCalls = async () =>
      (await stack.platform.paths()).filter((path) => !path.endsWith('/transaction/search')).length;
    const before = await countCalls();
    const answers: Record<string, number> = {};
    await inParallel(count, CONCURRENCY, async (index) => {
      const kind = KINDS[index % KINDS.length] ?? 'origin';
      const {path, ...request} = FORGERS[kind](Math.floor(index / KINDS.length), tokens);
      const {status, text} = await stack.request(path, request);
      const answer = `${kind}: ${status} ${(JSON.parse(text) as {code?: string}).code ?? 'ACCEPTED'}`;
      answers[answer] = (answers[answer] ?? 0) + 1;
    });
    const accepted = Object.entries(answers).reduce(
      (sum, [answer, times]) => (answer.endsWith('ACCEPTED') ? sum + times : sum),
      0,
    );
    return {accepted, calls: (await countCalls()) - before, answers};
  } finally {
    await stack.close();
  }
}

interface Tokens {
  readonly club: string;
  readonly gold: string;
}

const KINDS = ['origin', 'address', 'price'] as const;

const FORGERS: Readonly<Record<(typeof KINDS)[number], (index: number, tokens: Tokens) => Forged>> = {
  origin(index, {club, gold}) {
    const origin = similarOrigin(ORIGIN, index);
    const requests: Forged[] = [
      {path: '/v1/sessions', body: {offer: 'gold'}},
      {path: '/v1/order-code', token: gold, body: {}},
      {path: '/v1/hosted-payment', token: gold, body: {}},
      {path: '/v1/payment-notices', token: gold, body: {bank: 'garanti', notice: {}}},
      {path: '/v1/pins', token: club, body: {operator: 1, msisdn: '5321234567', tracking_id: 't-1'}},
      {path: '/v1/activities', body: {offer: 'club', type: 'subscribe_clicked', tracking_id: 't-1'}},
    ];
    return {...(requests[index % requests.length] as Forged), headers: {origin}};
  },

  address(index, {gold}) {
    const url = `${similarOrigin(ORIGIN, index)}/thanks`;
    const requests: Forged[] = [
      {path: '/v1/hosted-payment', body: {redirect_url: url}},
      {path: '/v1/hosted-payment', body: {back_url: url}},
      {path: '/v1/payment-notices', body: {bank: 'garanti', notice: {}, redirect_url: url}},
      {path: '/v1/payment-pages', body: {success_url: url, failure_url: `${ORIGIN}/no`}},
    ];
    return {...(requests[index % requests.length] as Forged), token: gold};
  },

  price(index, {club, gold}) {
    const price = `${index % 100}.${String(index % 97).padStart(2, '0')}`;
    const requests: Forged[] = [
      {path: '/v1/sessions', body: {offer: 'gold', amount: price}},
      {path: '/v1/sessions', body: {offer: 'club', price}},
      {path: '/v1/order-code', token: gold, body: {amount: price}},
      {path: '/v1/order-code', token: tampered(gold, {amount: index + 1}), body: {}},
      {path: '/v1/order-code', token: unsigned(gold, {amount: index + 1}), body: {}},
      {path: '/v1/hosted-payment', token: tampered(gold, {order: `S-${index}`}), body: {}},
      {path: '/v1/payment-pages', token: gold, body: {price}},
      {
        path: '/v1/pins',
        token: tampered(club, {price: index + 1}),
        body: {operator: 1, msisdn: '5321234567', tracking_id: 't-1'},
      },
      {
        path: '/v1/subscriptions',
        token: club,
        body: {operator: 1, msisdn: '5321234567', pin: '1234', tracking_id: 't-1', price},
      },
    ];
    return requests[index % requests.length] as Forged;
  },
};

/** An origin that looks like the allowed one but differs. */
function similarOrigin(origin: string, index: number): string {
  const url = new URL(origin);
  const letter = String.fromCharCode(97 + (index % 26));
  const host = url.hostname;
  const at = index % host.length;
  const forms = [
    `https://${host}.${letter}${index}.example`,
    `https://${letter}${index}.${host}`,
    `http://${host}`,
    `https://${host}:${1 + (index % 442)}`,
    `https://${letter}${index}${host}`,
    `https://${host.slice(0, at)}${letter}${index}${host.slice(at)}`,
    `https://${host}.`,
    `https://${index % 256}.0.0.1`,
    `https://${host.replace('.', '-')}${index}.example`,
    `https://${host.replace('o', '0')}`,
  ];
  return forms[index % forms.length] ?? 'null';
}

/** The session token with changed claims and its old signature. */
function tampered(token: string, change: object): string {
  const [head = '', payload = '', signature = ''] = token.split('.');
  return [head, encode({...decode(payload), ...change}), signature].join('.');
}

/** The session token with changed claims, the algorithm `none` and no signature. */
function unsigned(token: string, change: object): string {
  const [, payload = ''] = token.split('.');
  return [encode({alg: 'none', typ: 'vezne-session+jwt'}), encode({...decode(payload), ...change}), ''].join('.');
}

function decode(part: string): object {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as object;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

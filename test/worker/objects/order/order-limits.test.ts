/** Tests the limits on orders: an attacker gets at most a share of the orders, and does not block other shoppers. */

import {runInDurableObject} from 'cloudflare:test';
import {env, exports} from 'cloudflare:workers';
import {describe, expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {NewPaymentSession, OrderCode} from '../../../../worker/contract/browser/answers.ts';
import type {Objects} from '../../../../worker/objects.ts';
import type {CountedKey} from '../../../../worker/objects/limits/guard.ts';
import {admitOrder} from '../../../../worker/objects/order/order-limits.ts';
import type {OrderState} from '../../../../worker/objects/order/order-state.ts';
import type {Order} from '../../../../worker/objects/order/order.ts';
import {inBatches} from '../../support/busy-service.ts';
import {advance, DAY, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {countObjectCalls, everythingStored, isStored, orderObject, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {openSocket} from '../../support/page-socket.ts';
import {type Answer, askAsPage, openMerchantSession, read} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {control, countCalls, pay, setFault} from '../../support/sandbox.ts';
import {TURNSTILE, stubTurnstile} from '../../support/turnstile.ts';

freshWorker();

const CREATE = '/orderToReference/create';

/** The IP address of a shopper, and the bindings of the Worker that the shopper's page calls. */
interface From {
  readonly address: string;
  readonly bindings?: Record<string, unknown>;
}

const optionsFor = ({address, bindings}: From) => ({
  headers: {'cf-connecting-ip': address},
  ...(bindings && {bindings}),
});
const openSession = async (from: From) =>
  read(await askAsPage('POST', '/v1/sessions', {body: {offer: 'gold'}, ...optionsFor(from)}), NewPaymentSession, 201);
const askCode = (token: string, from: From, body: object = {}) =>
  askAsPage('POST', '/v1/order-code', {token, body, ...optionsFor(from)});

/** Requests a code in a new public session. */
async function order(from: From, body?: object): Promise<Answer & {readonly order: string; readonly token: string}> {
  const session = await openSession(from);
  return {...(await askCode(session.token, from, body)), order: session.order, token: session.token};
}

const limits = (LIMITS: object, others: object = {}) => ({LIMITS, ...others});
const statuses = (answers: readonly Answer[]) => answers.map(({status}) => status);
async function orders(count: number, from: From): Promise<number[]> {
  const answers: Answer[] = [];
  for (let index = 0; index < count; index += 1) answers.push(await order(from));
  return statuses(answers);
}
async function payFor(...answers: readonly (Answer & {readonly token: string})[]): Promise<void> {
  for (const {token} of answers) await askAsPage('GET', '/v1/payment', {token});
  for (const answer of answers) await pay({order_code: read(answer, OrderCode).order_code});
  await runSweep();
}

/** A fortieth of a limit, so that a test needs a fortieth of the orders. */
const scaled = (limit: number | null) => limit && Math.floor(limit / 40);

describe('default limits', () => {
  test('5 shoppers behind one address all get a code after 15 addresses made a minute’s orders of the service', async () => {
    const {
      addressSessionsPerMinute: sessions,
      addressUnpaidOrdersPerDay: perDay,
      serviceOrdersPerMinute: cap,
    } = contextOf(env).config.limits;
    const bindings = limits({
      address_sessions_per_minute: scaled(sessions),
      address_unpaid_orders_per_day: scaled(perDay),
      service_orders_per_minute: scaled(cap),
    });
    const attackers: Answer[] = [];
    const honest: Answer[] = [];
    await inBatches(
      15,
      async (index) => void attackers.push(await order({address: `203.0.113.${index + 1}`, bindings})),
      10,
    );
    await inBatches(5, async () => void honest.push(await order({address: '198.51.100.7', bindings})), 10);
    expect(statuses(honest)).toEqual(Array<number>(5).fill(200));
    // The service is over its cap, but no address is over its share yet.
    expect(statuses(attackers)).toEqual(Array<number>(15).fill(200));
  });

  test('an address is refused after a thousand unpaid orders a day, but never if its shoppers mostly pay', async () => {
    const {addressUnpaidOrdersPerDay: limit} = contextOf(env).config.limits;
    /** Simulates 75 minutes. @returns how many orders are allowed with these orders and payments per minute. */
    const countAllowed = (name: string, ordersPerMinute: number, paymentsPerMinute: number) =>
      runInDurableObject(exports.Guard.getByName(name), (guard) => {
        const rule = {key: 'unpaid', windowMs: DAY, limit, credit: 2} as const;
        const counted: CountedKey[] = [];
        let paid = 0;
        const startedAt = Date.now();
        for (let minute = 0; minute < 75; minute += 1) {
          vi.setSystemTime(startedAt + minute * MINUTE);
          for (let count = 0; count < ordersPerMinute; count += 1) {
            const answer = guard.count([rule]);
            if ('counted' in answer) counted.push(...answer.counted);
          }
          // Shoppers pay four minutes after they order.
          const payments = minute < 4 ? 0 : paymentsPerMinute;
          for (let count = 0; count < payments; count += 1) guard.change(counted.slice(paid, (paid += 1)), 'confirm');
        }
        vi.setSystemTime(startedAt);
        return counted.length;
      });
    expect([await countAllowed('an attacker', 20, 0), await countAllowed('a carrier', 200, 120)]).toEqual([
      1_000, 15_000,
    ]);
  });
});

describe('the unpaid orders of an address', () => {
  const bindings = limits({address_unpaid_orders_per_day: 4});
  const from = {address: '198.51.100.7', bindings};
  const ask = (address: string) => orders(1, {address, bindings});

  test('an address cannot exceed its daily limit of unpaid orders', async () => {
    expect(await orders(5, from)).toEqual([200, 200, 200, 200, 429]);
    const refused = await order(from);
    expectProblem(refused, PROBLEMS.rate_limited);
    expect(refused.headers.get('retry-after')).toBe('60');
    // A retry is refused too.
    expectProblem(await askCode(refused.token, from), PROBLEMS.rate_limited);
    expect(await countCalls(CREATE)).toBe(4);
    expect(await orders(1, {...from, address: '198.51.100.8'})).toEqual([200]);
    await advance(DAY + HOUR);
    expect(await orders(5, from)).toEqual([200, 200, 200, 200, 429]);
  });

  test('a paid order makes room for two new orders, and a second transfer for it makes no more room', async () => {
    const answers = [await order(from), await order(from), await order(from), await order(from)];
    expect(await orders(1, from)).toEqual([429]);
    await payFor(...answers.slice(0, 1));
    await pay({order_code: read(answers[0] as Answer, OrderCode).order_code});
    await runSweep();
    expect(await orders(3, from)).toEqual([200, 200, 429]);
  });

  test('an order counts once, however often its page retries', async () => {
    await setFault({operation: CREATE, kind: 'status', status: 'ERR_005'});
    const failed = await order(from);
    for (let minute = 0; minute < 6; minute += 1) {
      expectProblem(await askCode(failed.token, from), PROBLEMS.platform_refused);
      await advance(MINUTE);
    }
    await setFault({operation: CREATE, kind: 'clear'});
    expect((await askCode(failed.token, from)).status).toBe(200);
    expect(await orders(4, from)).toEqual([200, 200, 200, 429]);
  });

  test('an order does not count if nothing was sent to the platform', async () => {
    await control('tokens/expire');
    await setFault({operation: '/getToken', kind: '500-html'});
    const failed = await order(from);
    for (let count = 0; count < 6; count += 1)
      expectProblem(await askCode(failed.token, from), PROBLEMS.temporarily_unavailable);
    expect(await orders(3, from)).toEqual([503, 503, 503]);
    await setFault({operation: '/getToken', kind: 'clear'});
    await advance(MINUTE);
    expect((await askCode(failed.token, from)).status).toBe(200);
    expect(await orders(4, from)).toEqual([200, 200, 200, 429]);
  });

  test('for IPv6, the limit applies to a /48, and one /64 may use a quarter of the limit', async () => {
    expect(await ask('2001:db8:1:1::1')).toEqual([200]);
    expect(await ask('2001:db8:1:1::2')).toEqual([429]);
    for (const network of [2, 3, 4]) expect(await ask(`2001:db8:1:${network}::1`)).toEqual([200]);
    expect(await ask('2001:db8:1:5::1')).toEqual([429]);
    expect(await ask('2001:db8:2:5::1')).toEqual([200]);
  });

  test('every route that makes orders refuses an address that has reached its limit', async () => {
    const single = {address: '198.51.100.7', bindings: limits({address_unpaid_orders_per_day: 1})};
    expect(await orders(1, single)).toEqual([200]);
    const notice = {bank: 'teb', notice: {}};
    for (const [path, body] of [
      ['/v1/order-code', {}],
      ['/v1/hosted-payment', {}],
      ['/v1/payment-pages', {}],
      ['/v1/payment-notices', notice],
    ] as const) {
      const {token} = await openSession(single);
      expectProblem(await askAsPage('POST', path, {token, body, ...optionsFor(single)}), PROBLEMS.rate_limited);
    }
    expect(
      (
        await askAsPage('POST', '/v1/payment-pages', {
          token: (await openSession(from)).token,
          ...optionsFor({...from, address: '198.51.100.9'}),
        })
      ).status,
    ).toBe(200);
  });

  test('no IP address is stored, and a paid order deletes the names of the guards that counted it', async () => {
    const answer = await order(from);
    expect(await everythingStored()).not.toContain('198.51.100');
    const unpaid = () =>
      runInDurableObject(
        orderObject(answer.order) as DurableObjectStub<Order>,
        (_object, {storage}) => storage.kv.get<OrderState>('order')?.record?.unpaid,
      );
    const counted = {key: expect.stringMatching(/^[0-9a-f]{24}$/) as string, at: Date.now()};
    const guard = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    expect(await unpaid()).toEqual([{guard, keys: [counted, counted, counted]}]);
    await payFor(answer);
    expect(await unpaid()).toEqual([]);
  });
});

describe('a new order', () => {
  const ROUTES = [
    ['/v1/order-code', {}],
    ['/v1/hosted-payment', {}],
    ['/v1/payment-pages', {}],
    ['/v1/payment-notices', {bank: 'teb', notice: {}}],
  ] as const;
  const address = '198.51.100.7';
  const full = limits({address_unpaid_orders_per_day: 1});

  test('a session and the code of its new order cause four calls to objects, also for an IPv6 shopper', async () => {
    const shopper = '2001:db8:1:1::1';
    const calls = {
      // The network counts the session, and then the order. The service counts the order.
      'Guard.count': 3,
      'Order.orderCode': 1,
    };
    let token = '';
    const counts = await countObjectCalls(async () => {
      ({token} = await openSession({address: shopper}));
      await askCode(token, {address: shopper});
    });
    expect(counts).toEqual(calls);
    expect(await countObjectCalls(() => askCode(token, {address: shopper}))).toEqual({'Order.orderCode': 1});
    // The sweep learns the code and the viewer in one call.
    const opening = async () => (await openSocket(token)).close();
    expect(await countObjectCalls(opening)).toMatchObject({'Order.fetch': 1, 'Service.trackOrder': 1});
    // If a page listens already, the sweep learns the code at once.
    const listening = await openSession({address: shopper});
    const socket = await openSocket(listening.token);
    expect(await countObjectCalls(() => askCode(listening.token, {address: shopper}))).toMatchObject({
      'Service.trackOrder': 1,
    });
    socket.close();
  });

  test('the object of an order that a route refuses stores nothing', async () => {
    const from = {address, bindings: full};
    const check = {address, bindings: {...full, ...TURNSTILE}};
    stubTurnstile(() => Response.json({success: false}));
    const first = await order(from);
    expect(first.status).toBe(200);
    expect(await isStored(orderObject(first.order))).toBe(true);
    const {token, order: refused} = await openSession(from);
    for (const [path, body] of ROUTES)
      for (const [sender, human, problem] of [
        [from, {}, PROBLEMS.rate_limited],
        [check, {}, PROBLEMS.human_check_required],
        [check, {human: 'a machine'}, PROBLEMS.human_check_failed],
      ] as const) {
        expectProblem(
          await askAsPage('POST', path, {token, body: {...body, ...human}, ...optionsFor(sender)}),
          problem,
        );
        expect(await isStored(orderObject(refused))).toBe(false);
      }
  });

  test('an order that two pages request at the same time counts once', async () => {
    for (const [index, [path, body]] of ROUTES.entries()) {
      const from = {address: `198.51.100.${index}`, bindings: limits({address_unpaid_orders_per_day: 2})};
      const {token} = await openSession(from);
      const ask = () => askAsPage('POST', path, {token, body, ...optionsFor(from)});
      expect(statuses(await Promise.all([ask(), ask()])), path).toEqual([200, 200]);
      expect(await orders(2, from), path).toEqual([200, 429]);
    }
  });

  test('pages that request one order’s code together all get it, even with room for only one order', async () => {
    const from = {address, bindings: full};
    const {token} = await openSession(from);
    const answers = await Promise.all([askCode(token, from), askCode(token, from), askCode(token, from)]);
    expect(new Set(answers.map((answer) => read(answer, OrderCode).order_code)).size).toBe(1);
    expect(await countCalls(CREATE)).toBe(1);
  });
});

describe('a service that is over its cap', () => {
  const bindings = limits({service_orders_per_minute: 2, address_unpaid_orders_per_day: 1});

  test('a service that is over its cap refuses only addresses that have made half of the cap’s orders', async () => {
    const wide = limits({service_orders_per_minute: 4});
    expect(await orders(6, {address: '198.51.100.7', bindings: wide})).toEqual([200, 200, 200, 200, 429, 429]);
    for (const address of ['198.51.100.8', '2001:db8:1:1::1'])
      expect(await orders(3, {address, bindings: wide})).toEqual([200, 200, 429]);
    await advance(MINUTE);
    expect(await orders(1, {address: '198.51.100.7', bindings: wide})).toEqual([200]);
  });

  test.for([
    ['an IPv4 /16', (index: number) => `198.51.${index}.7`, '198.52.0.7'],
    ['an IPv6 /32', (index: number) => `2001:db8:${index}:1::1`, '2001:db9:1:1::1'],
  ] as const)(
    'over its cap, a service refuses new addresses of %s with four times the unpaid orders of an address, and no others',
    async ([, nth, elsewhere]) => {
      for (let index = 1; index <= 4; index += 1)
        expect(await orders(1, {address: nth(index), bindings})).toEqual([200]);
      expect(await orders(1, {address: nth(5), bindings})).toEqual([429]);
      expect(await orders(1, {address: elsewhere, bindings})).toEqual([200]);
      await advance(MINUTE);
      expect(await orders(1, {address: nth(5), bindings})).toEqual([200]);
    },
  );
});

describe('orders of the merchant’s own server', () => {
  const bindings = limits({
    address_unpaid_orders_per_day: 1,
    service_orders_per_minute: 1,
    address_sessions_per_minute: 1,
  });
  const from = {address: '198.51.100.7', bindings};
  let orderCount = 0;
  const merchantSession = async () =>
    (
      await openMerchantSession({
        kind: 'payment',
        service: 'DEMO',
        order: `S-own-${Date.now()}-${(orderCount += 1)}`,
        amount: '149.90',
      })
    ).token;

  test('orders of the merchant’s server are not counted, and are never refused because of other orders', async () => {
    expect(await orders(1, from)).toEqual([200]);
    await advance(SECOND);
    expectProblem(
      await askAsPage('POST', '/v1/sessions', {body: {offer: 'gold'}, ...optionsFor(from)}),
      PROBLEMS.rate_limited,
    );
    for (let count = 0; count < 2; count += 1) {
      expect((await askCode(await merchantSession(), from)).status).toBe(200);
      expect(
        (await askAsPage('POST', '/v1/hosted-payment', {token: await merchantSession(), ...optionsFor(from)})).status,
      ).toBe(200);
      expect(
        (await askAsPage('POST', '/v1/payment-pages', {token: await merchantSession(), ...optionsFor(from)})).status,
      ).toBe(200);
    }
    await advance(MINUTE);
    expect(await orders(1, {...from, address: '198.51.100.8'})).toEqual([200]);
  });
});

describe('with a human check', () => {
  const bindings = limits({address_unpaid_orders_per_day: 1}, TURNSTILE);
  const from = {address: '198.51.100.7', bindings};
  const right = {success: true, hostname: 'localhost', action: 'order'};

  test('a session offers the human check, and only an order above a limit requires it', async () => {
    const {requests} = stubTurnstile(() => Response.json(right));
    expect((await openSession(from)).human_check).toEqual({sitekey: '0x4AAAAAAA', action: 'order'});
    expect(await orders(1, from)).toEqual([200]);
    expect(requests).toEqual([]);
    const second = await order(from);
    expectProblem(second, PROBLEMS.human_check_required);
    expect((await askCode(second.token, from, {human: 'token-1'})).status).toBe(200);
    expect(requests).toEqual([{secret: 'turnstile-secret-of-ours', response: 'token-1', remoteip: '198.51.100.7'}]);
    // Reading an existing code needs no human check.
    expect((await askCode(second.token, from)).status).toBe(200);
  });

  test('a human check for a different action fails, and paying an order with a human check makes room', async () => {
    stubTurnstile((human) => Response.json(human === 'pin' ? {...right, action: 'pin'} : right));
    expect(await orders(1, from)).toEqual([200]);
    expectProblem(await order(from, {human: 'pin'}), PROBLEMS.human_check_failed);
    const person = await order(from, {human: 'person'});
    expect(person.status).toBe(200);
    await payFor(person);
    expect(statuses([await order(from), await order(from)])).toEqual([200, 403]);
  });

  test('after a human check every route makes the order, whichever limit required the check', async () => {
    stubTurnstile(() => Response.json(right));
    const busy = {
      address: '198.51.100.7',
      bindings: limits({address_unpaid_orders_per_day: 1, service_orders_per_minute: 1}, TURNSTILE),
    };
    expect(await orders(1, busy)).toEqual([200]);
    for (const [path, body] of [
      ['/v1/hosted-payment', {}],
      ['/v1/payment-pages', {}],
      ['/v1/payment-notices', {bank: 'teb', notice: {}}],
    ] as const) {
      const {token} = await openSession(busy);
      expectProblem(await askAsPage('POST', path, {token, body, ...optionsFor(busy)}), PROBLEMS.human_check_required);
      expect(
        (await askAsPage('POST', path, {token, body: {...body, human: 'token'}, ...optionsFor(busy)})).status,
        path,
      ).toBe(200);
    }
  });
});

test('if one guard fails, the guard that answers later releases the order', async () => {
  const changes: unknown[] = [];
  const network = {
    name: 'network',
    count: async () => ({before: [], counted: [{key: 'k', at: await advance(SECOND).then(() => 7)}]}),
    change: async (...change: unknown[]) => void changes.push(change),
  };
  const service = {count: () => Promise.reject(new Error('unreachable'))};
  const objects = {
    guard: async (subject: string) => (subject.startsWith('network') ? network : service),
    counterKey: async () => 'k',
    guardNamed: () => network,
  } as unknown as Objects;
  const {limits: defaults} = contextOf(env).config;
  const caller = {subnet: '198.51.100.7', limits: defaults, sessionsPerMinute: null, checkHuman: null};
  const terms = {service: 'DEMO', order: 'S-1', amount: 14990, hours: 72};
  await expect(admitOrder({objects}, null, terms, caller)).rejects.toThrow('unreachable');
  expect(changes).toEqual([[[{key: 'k', at: 7}], 'release']]);
});

/** Payment notices: how a page creates them, how the Worker checks them, and the prefill of the form. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {beforeEach, describe, expect, inject, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {CreatedPaymentNotice, NoticePrefill, OrderCode} from '../../../../worker/contract/browser/answers.ts';
import {Objects} from '../../../../worker/objects.ts';
import {advance, DAY, MINUTE, SECOND, wireTime} from '../../support/clock.ts';
import {alarmIn, everythingStored, orderObject, replaceBindings, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {openSocket} from '../../support/page-socket.ts';
import {
  type Answer,
  askAsPage,
  askMerchant,
  handOff,
  openMerchantSession,
  openOrder,
  openSession,
  ORIGIN,
  read,
  showPayment,
} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {calls, control, countCalls, pay, setFault} from '../../support/sandbox.ts';
import {stubTurnstile, TURNSTILE} from '../../support/turnstile.ts';

freshWorker();

const CREATE = '/paymentNotification/create';
const GET = '/paymentNotification/get';
const PERSON = {
  name: 'Ayşe Yılmaz',
  email: 'ayse@example.com',
  phone: '05321234567',
  tc_no: '10000000146',
  description: 'Kod yazmayı unuttum',
};
const createNotice = (token: string, more: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  askAsPage('POST', '/v1/payment-notices', {token, body: {bank: 'garanti', notice: PERSON, ...more}, headers});

test('a shopper who forgot the code gets a link to the platform’s notice page, which links back', async () => {
  const {token, order} = await openOrder();
  const notice = {...PERSON, apply_time: '2026-11-21T09:30:00.520Z'};
  const answer = await createNotice(
    token,
    {notice, amount: '140.00', redirect_url: `${ORIGIN}/pay`, back_url: `${ORIGIN}/cart`},
    {'cf-connecting-ip': '198.51.100.4'},
  );
  const {notice_code, url} = read(answer, CreatedPaymentNotice);
  expect(url).toBe(
    `${inject('platformUrl')}/pay/phs/yonlendir/${notice_code}?${new URLSearchParams({redirect: `${ORIGIN}/pay`, backUrl: `${ORIGIN}/cart`}).toString()}`,
  );
  const [call, ...more] = await calls(CREATE);
  expect(more).toEqual([]);
  expect(call?.params).toEqual({
    code: 'DEMO',
    order,
    bank: 'garanti',
    amount: '140.00',
    'PaymentNotification[name]': PERSON.name,
    'PaymentNotification[email]': PERSON.email,
    'PaymentNotification[phone]': '5321234567',
    'PaymentNotification[tc_no]': PERSON.tc_no,
    'PaymentNotification[description]': PERSON.description,
    'PaymentNotification[apply_time]': '2026-11-21 12:30:00',
    'PaymentNotification[user_ip]': '198.51.100.4',
  });
  expect((await fetch(url)).status).toBe(200);
});

test('if the page names no amount, the notice gets the order’s current amount', async () => {
  const session = {kind: 'payment', service: 'DEMO', order: 'S-cheaper', amount: '149.90'};
  const {token} = await openMerchantSession(session);
  await openMerchantSession({...session, amount: '129.90'});
  read(await createNotice(token), CreatedPaymentNotice);
  expect((await calls(CREATE))[0]?.params).toMatchObject({order: 'S-cheaper', amount: '129.90'});
});

test('a page still gets the payment if its notice cannot be checked, and the log says why', async () => {
  const {token, order} = await openOrder();
  read(await createNotice(token), CreatedPaymentNotice);
  await advance(MINUTE);
  await replaceBindings(orderObject(order), {SERVICES: 'unreadable'});
  expect(await showPayment(token)).toMatchObject({state: 'waiting', notice: {sent: false}});
  await expect
    .poll(() => logLines('internal_error'))
    .toMatchObject([{order, error: expect.stringMatching(/^ConfigError/) as string}]);
});

test('every page of the order shows the notice, and the merchant gets an event', async () => {
  const {token, order} = await openOrder();
  const socket = await openSocket(token);
  expect((await socket.next()).notice).toBeNull();
  const {notice_code} = read(await createNotice(token), CreatedPaymentNotice);
  const notice = {at: wireTime(), bank: 'garanti', amount: '149.90', sent: false};
  expect((await socket.next()).notice).toEqual(notice);
  expect(await showPayment(token)).toMatchObject({state: 'waiting', notice});
  expect(await showPayment((await handOff({token})).token)).toMatchObject({notice});
  const {items} = await contextOf(env).objects.outbox().read(0);
  expect(items).toMatchObject([
    {
      type: 'payment_notice.created',
      data: {service: 'DEMO', order, amount: '149.90', bank_code: 'garanti', notice_code},
    },
  ]);
  socket.close();
});

const noticeOf = async (token: string) => (await showPayment(token)).notice;
const setStatus = (code: string, status: number) => control(`notices/${code}/status`, {status});
const openOrderWithNotice = async () => {
  const opened = await openOrder();
  return {...opened, notice_code: read(await createNotice(opened.token), CreatedPaymentNotice).notice_code};
};

describe('the check whether the shopper submitted the notice', () => {
  beforeEach(() => control('readings', {notice_code: 'own_id'}));

  test('the Worker checks a notice when a page reads the payment', async () => {
    const {token, notice_code} = await openOrderWithNotice();
    await advance(5 * SECOND);
    const socket = await openSocket(token);
    expect((await socket.next()).notice).toMatchObject({sent: false});
    await expect.poll(() => countCalls(GET)).toBe(1);
    await setStatus(notice_code, 1);
    await advance(10 * SECOND);
    await showPayment(token);
    expect((await socket.next()).notice).toMatchObject({sent: true});
    socket.close();
  });

  test('the Worker checks a notice with growing delays, and stops when the shopper has submitted it', async () => {
    const {token, order, notice_code} = await openOrderWithNotice();
    const delays: number[] = [];
    for (let check = 0; check < 8; check += 1) {
      const at = (await alarmIn(orderObject(order))) ?? 0;
      delays.push(at / SECOND);
      await advance(at);
      await runDurableObjectAlarm(orderObject(order));
    }
    expect([delays, await countCalls(GET)]).toEqual([[10, 20, 40, 80, 160, 320, 640, 1280], 8]);
    await setStatus(notice_code, 1);
    await advance(MINUTE);
    await showPayment(token);
    await expect.poll(() => noticeOf(token)).toMatchObject({sent: true});
    for (let view = 0; view < 3; view += 1) await showPayment(token);
    expect(await countCalls(GET)).toBe(9);
  });

  test('a notice that the platform dropped is deleted, so the shopper may create another one', async () => {
    const {token, notice_code} = await openOrderWithNotice();
    await setStatus(notice_code, -1);
    await advance(5 * SECOND);
    await showPayment(token);
    await expect.poll(() => noticeOf(token)).toBeNull();
  });

  test('if the platform refuses a check, the notice counts as not submitted until a later check succeeds', async () => {
    const {token, notice_code} = await openOrderWithNotice();
    await setStatus(notice_code, 1);
    // The fault is a refusal, because after a timeout the Worker would retry immediately.
    await setFault({operation: GET, kind: 'status', status: 'ERR_002', times: 1});
    await advance(5 * SECOND);
    await showPayment(token);
    await expect.poll(() => countCalls(GET)).toBe(1);
    expect(await noticeOf(token)).toMatchObject({sent: false});
    await advance(10 * SECOND);
    await showPayment(token);
    await expect.poll(() => noticeOf(token)).toMatchObject({sent: true});
  });

  test('if the platform does not find a notice, the Worker looks for it again', async () => {
    const {token, notice_code} = await openOrderWithNotice();
    await setFault({operation: GET, kind: 'status', status: 'ERR_013', times: 1});
    await advance(5 * SECOND);
    await showPayment(token);
    await expect.poll(() => noticeOf(token)).toMatchObject({sent: null});
    await advance(10 * SECOND);
    await showPayment(token);
    await expect.poll(() => noticeOf(token)).toMatchObject({sent: false});
    await setStatus(notice_code, 1);
    await advance(20 * SECOND);
    await showPayment(token);
    await expect.poll(() => noticeOf(token)).toMatchObject({sent: true});
  });
});

const noticeEvents = async () =>
  (await contextOf(env).objects.outbox().read(0)).items.flatMap(({type, data}) =>
    'notice_code' in data ? [[type, data.notice_code, 'state' in data ? data.state : null]] : [],
  );
const createForServer = async (order: string, amount = '149.90') => {
  const answer = await askMerchant('payment-notices', {service: 'DEMO', order, amount, bank: 'garanti'});
  expect(answer.status, answer.text).toBe(201);
  return (answer.body as {notice_code: string}).notice_code;
};
const noticesOf = async (order: string) =>
  (await orderObject(order).details())?.notices.map(({code, state}) => [code, state]);
const runCheck = async (order: string) => {
  await advance((await alarmIn(orderObject(order))) ?? 0);
  await runDurableObjectAlarm(orderObject(order));
};

describe('a notice that the merchant’s server created', () => {
  test('belongs to its order: pages show it, and its state is read and reported until it ends', async () => {
    await control('readings', {notice_code: 'own_id'});
    const {token, order} = await openOrder();
    const first = await createForServer(order);
    expect(await noticeOf(token)).toEqual({at: wireTime(), bank: 'garanti', amount: '149.90', sent: false});
    await setStatus(first, 1);
    await runCheck(order);
    expect(await noticeOf(token)).toMatchObject({sent: true});
    const second = await createForServer(order, '140.00');
    await setStatus(second, -1);
    await runCheck(order);
    // The dropped notice no longer hides the other one.
    expect(await noticeOf(token)).toMatchObject({amount: '149.90', sent: true});
    const transaction_id = Number(await pay({description: 'lamba'}));
    await control(`notices/${first}/approve`, {transaction_id});
    await runSweep();
    expect(await showPayment(token)).toMatchObject({state: 'paid'});
    await advance(15 * MINUTE);
    await runDurableObjectAlarm(orderObject(order));
    expect(await noticesOf(order)).toEqual([
      [first, 'approved'],
      [second, 'inactive'],
    ]);
    expect(await noticeEvents()).toEqual([
      ['payment_notice.created', first, null],
      ['payment_notice.changed', first, 'processing'],
      ['payment_notice.created', second, null],
      ['payment_notice.changed', second, 'inactive'],
      ['payment_notice.changed', first, 'approved'],
    ]);
    const reads = await countCalls(GET);
    await advance(DAY);
    await runDurableObjectAlarm(orderObject(order));
    expect(await countCalls(GET)).toBe(reads);
  });

  test('belongs to no order here if the order is unknown here, and is reported all the same', async () => {
    const code = await createForServer('S-elsewhere');
    expect(await noticeEvents()).toEqual([['payment_notice.created', code, null]]);
    expect(await orderObject('S-elsewhere').details()).toBeNull();
  });

  test('shows no state if its code is not its id', async () => {
    await control('readings', {notice_code: 'text'});
    const {token, order} = await openOrder();
    const code = await createForServer(order);
    expect(await noticeOf(token)).toMatchObject({sent: null});
    expect(await noticesOf(order)).toEqual([[code, null]]);
  });
});

describe('a notice whose code is not its id', () => {
  test('if the code is the id of another notice, the Worker reads that notice once and ignores its status', async () => {
    const other = await openOrderWithNotice();
    const {token, notice_code} = await openOrderWithNotice();
    // The code of this notice is the id of the other shopper's notice, which is first submitted and later dropped.
    for (const status of [1, -1]) {
      await setStatus(other.notice_code, status);
      await advance(10 * SECOND);
      await showPayment(token);
      await expect.poll(() => noticeOf(token)).toMatchObject({sent: null});
    }
    expect((await calls(GET)).map(({params}) => params['id'])).toEqual([notice_code]);
  });

  test('the Worker does not read a notice whose code is not a number', async () => {
    await control('readings', {notice_code: 'text'});
    const {token, order} = await openOrderWithNotice();
    await advance(MINUTE);
    await runDurableObjectAlarm(orderObject(order));
    expect(await noticeOf(token)).toMatchObject({sent: null});
    expect(await countCalls(GET)).toBe(0);
  });
});

test('the personal data of a notice, from a page or the merchant’s server, is never stored or logged', async () => {
  const {token, order} = await openOrder();
  await createNotice(token);
  const input = {service: 'DEMO', order, amount: '140.00', bank: 'ziraat', notice: PERSON};
  const answer = await askMerchant('payment-notices', input);
  expect(answer.status, answer.text).toBe(201);
  const [stored, logged] = [await everythingStored(), JSON.stringify(logLines())];
  expect(stored).toContain('garanti');
  expect(stored).toContain((answer.body as {notice_code: string}).notice_code);
  expect(logged).toContain('paymentNotificationCreate');
  for (const text of Object.values(PERSON)) for (const source of [stored, logged]) expect(source).not.toContain(text);
});

describe('a payment notice', () => {
  test('two concurrent requests create one notice, and an order can have five notices a day', async () => {
    const {token} = await openOrder();
    const [first, second] = await Promise.all([createNotice(token), createNotice(token)]);
    expect(second.body).toEqual(first.body);
    for (const amount of ['1.00', '2.00', '3.00', '4.00'])
      read(await createNotice(token, {amount}), CreatedPaymentNotice);
    expect(read(await createNotice(token, {amount: '4.00'}), CreatedPaymentNotice).notice_code).toEqual(
      expect.any(String),
    );
    const refused = await createNotice(token, {amount: '5.00'});
    expectProblem(refused, PROBLEMS.rate_limited);
    expect(refused.headers.get('retry-after')).toBe('86400');
    expect(await countCalls(CREATE)).toBe(5);
    await advance(DAY);
    read(await createNotice(token, {amount: '5.00'}), CreatedPaymentNotice);
  });

  test('failed attempts do not count towards the five notices of a day, but have their own limit', async () => {
    const {token} = await openOrder();
    await setFault({operation: CREATE, kind: '500-html', times: 5});
    for (let attempt = 0; attempt < 5; attempt += 1)
      expectProblem(await createNotice(token), PROBLEMS.temporarily_unavailable);
    const refused = await createNotice(token);
    expectProblem(refused, PROBLEMS.rate_limited);
    expect(refused.headers.get('retry-after')).toBe('600');
    expect(await countCalls(CREATE)).toBe(5);
    await advance(10 * MINUTE);
    for (const amount of ['1.00', '2.00', '3.00', '4.00', '5.00'])
      read(await createNotice(token, {amount}), CreatedPaymentNotice);
    expectProblem(await createNotice(token, {amount: '6.00'}), PROBLEMS.rate_limited);
  });

  test('after an internal error, a retry creates the notice', async () => {
    const {token} = await openOrder();
    vi.spyOn(Objects.prototype, 'guard').mockRejectedValueOnce(new Error('hush'));
    expectProblem(await createNotice(token), PROBLEMS.internal);
    read(await createNotice(token), CreatedPaymentNotice);
    expect(await countCalls(CREATE)).toBe(1);
  });

  test('a notice can be created days later, also by the device of a hand-off', async () => {
    const shopper = await openOrder();
    await advance(2 * DAY);
    const phone = await handOff(shopper);
    read(await createNotice(phone.token), CreatedPaymentNotice);
    await advance(DAY);
    read(await createNotice(shopper.token), CreatedPaymentNotice);
    expect(await countCalls('/orderToReference/create')).toBe(1);
  });

  test('a notice needs an order code, which is created first if the session may still create one', async () => {
    const {token} = await openSession();
    read(await createNotice(token), CreatedPaymentNotice);
    expect(await countCalls('/orderToReference/create')).toBe(1);
    const late = await openSession();
    await advance(31 * MINUTE);
    expectProblem(await createNotice(late.token), PROBLEMS.session_expired);
  });

  test('each invalid field of a notice is refused', async () => {
    const {token} = await openOrder();
    const wrong: [object, string][] = [
      [{bank: ''}, 'bank'],
      [{bank: 'x'.repeat(65)}, 'bank'],
      [{amount: '149,90'}, 'amount'],
      [{amount: 149.9}, 'amount'],
      [{amount: '-1.00'}, 'amount'],
      [{notice: null}, 'notice'],
      [{notice: {name: ''}}, 'notice.name'],
      [{notice: {name: '\ud800'}}, 'notice.name'],
      [{notice: {user_ip: '192.0.2.1'}}, 'notice.user_ip'],
      [{notice: {apply_time: '2026-11-21'}}, 'notice.apply_time'],
      [{notice: {apply_time: 'yesterday'}}, 'notice.apply_time'],
      [{notice: {apply_time: '9999-12-31T23:59:59-12:00'}}, 'notice.apply_time'],
      [{notice: {description: 'x'.repeat(1001)}}, 'notice.description'],
      [{order: 'S-1'}, 'order'],
      [{redirect_url: 'javascript:alert(1)'}, 'redirect_url'],
    ];
    for (const [more, path] of wrong)
      expect((await createNotice(token, more)).body, path).toMatchObject({code: 'invalid_request', fields: [{path}]});
    for (const [amount, message] of [
      ['0.00', 'Expected more than 0.'],
      ['100000000.00', 'Expected at most 99999999.99.'],
    ] as const)
      expectProblem(await createNotice(token, {amount}), {
        ...PROBLEMS.amount_invalid,
        fields: [{path: 'amount', message}],
      });
    expectProblem(await createNotice(token, {redirect_url: 'https://evil.example/'}), {
      ...PROBLEMS.return_url_not_allowed,
      fields: [{path: 'redirect_url', message: 'Shoppers of this page may not return to this URL.'}],
    });
    expect(await countCalls(CREATE)).toBe(0);
  });

  test('if the platform refuses or does not confirm a notice, the page gets an error and no notice', async () => {
    const {token} = await openOrder();
    expectProblem(await createNotice(token, {bank: 'nobank'}), PROBLEMS.bank_invalid);
    await setFault({operation: CREATE, kind: '500-html', times: 1});
    expectProblem(await createNotice(token), PROBLEMS.temporarily_unavailable);
    expect((await showPayment(token)).notice).toBeNull();
  });
});

const prefill = (token: string) => askAsPage('GET', '/v1/payment-notices/prefill', {token});

describe('the prefill of the notice form', () => {
  const EMPTY = {order: expect.any(String), amount: '149.90', name: null, email: null, phone: null, description: null};

  test('the prefill has the data from the merchant’s server until a day after `create_until`', async () => {
    const order = `S-${crypto.randomUUID()}`;
    const {token} = await openMerchantSession({
      kind: 'payment',
      service: 'DEMO',
      order,
      amount: '149.90',
      prefill: {name: PERSON.name, phone: PERSON.phone},
    });
    const {name, phone} = PERSON;
    expect(read(await prefill(token), NoticePrefill)).toEqual({...EMPTY, order, name, phone});
    expect(await everythingStored()).toContain(PERSON.name);
    // A token may leak with the page that contains it, so the token reveals the shopper's data for a short time only.
    await advance(30 * MINUTE + DAY);
    expect(read(await prefill(token), NoticePrefill)).toEqual(EMPTY);
  });

  test('a paid order no longer stores the shopper’s data', async () => {
    const session = {kind: 'payment', service: 'DEMO', order: 'S-prefilled', amount: '149.90'};
    const {token} = await openMerchantSession({...session, prefill: {name: PERSON.name, phone: PERSON.phone}});
    const {order_code} = read(await askAsPage('POST', '/v1/order-code', {token, body: {}}), OrderCode);
    await askAsPage('GET', '/v1/payment', {token});
    await pay({order_code});
    await runSweep();
    expect(await everythingStored()).not.toContain(PERSON.name);
    expect(read(await prefill(token), NoticePrefill)).toMatchObject({name: null, phone: null});
  });

  test('a notice is prefilled with the missing amount, or with the whole amount of a paid order', async () => {
    const {token, code} = await openOrder();
    await pay({order_code: code, amount: '100.00'});
    await runSweep();
    expect(read(await prefill(token), NoticePrefill)).toEqual({...EMPTY, amount: '49.90'});
    read(await createNotice(token), CreatedPaymentNotice);
    expect((await calls(CREATE)).map(({params}) => params['amount'])).toEqual(['49.90']);
    await pay({order_code: code, amount: '49.90'});
    await runSweep();
    expect(read(await prefill(token), NoticePrefill)).toEqual(EMPTY);
  });

  test('without data from the merchant’s server the prefill is empty; read-only sessions get no prefill', async () => {
    const shopper = await openOrder();
    expect(read(await prefill(shopper.token), NoticePrefill)).toEqual(EMPTY);
    expectProblem(await prefill((await handOff(shopper)).token), PROBLEMS.session_kind);
  });
});

test('an address can create ten notices in ten minutes; the next one needs a human check', async () => {
  const address = {'cf-connecting-ip': '2001:db8:77:1::1'};
  const orders = await Promise.all(Array.from({length: 5}, openOrder));
  const amounts = ['1.00', '2.00', '3.00'];
  const statuses: number[] = [];
  for (const {token} of orders)
    for (const amount of amounts) statuses.push((await createNotice(token, {amount}, address)).status);
  expect(statuses).toEqual([...Array.from({length: 10}, () => 200), ...Array.from({length: 5}, () => 429)]);
  expect(await countCalls(CREATE)).toBe(10);
  // All IPv6 /64s of a /48 share one limit; another /48 has its own limit.
  const [{token} = await openOrder()] = orders;
  const fromSite = (site: string) => createNotice(token, {amount: '9.00'}, {'cf-connecting-ip': `${site}:2::1`});
  expect((await fromSite('2001:db8:77')).status).toBe(429);
  expect((await fromSite('2001:db8:78')).status).toBe(200);
  const {requests} = stubTurnstile((human) =>
    Response.json({success: human === 'passed', action: 'order', hostname: 'localhost'}),
  );
  const withCheck = (human?: string) =>
    askAsPage('POST', '/v1/payment-notices', {
      token,
      body: {bank: 'garanti', amount: '9.50', notice: PERSON, ...(human && {human})},
      headers: address,
      bindings: TURNSTILE,
    });
  expectProblem(await withCheck(), PROBLEMS.human_check_required);
  read(await withCheck('passed'), CreatedPaymentNotice);
  expect(requests).toHaveLength(1);
});

test('if the merchant’s server created the session, its notices do not count towards the address’s limit', async () => {
  const address = {'cf-connecting-ip': '198.51.100.77'};
  for (let order = 0; order < 11; order += 1) {
    const {token} = await openMerchantSession({
      kind: 'payment',
      service: 'DEMO',
      order: `M-${order}`,
      amount: '149.90',
    });
    expect((await createNotice(token, {}, address)).status).toBe(200);
  }
});

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, inject, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {CreatedPaymentNotice, NoticePrefill} from '../../../../worker/contract/browser/answers.ts';
import {advance, DAY, MINUTE, SECOND, wireTime} from '../../support/clock.ts';
import {alarmIn, everythingStored, orderObject, replaceBindings, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {openSocket} from '../../support/page-socket.ts';
import {
  type Answer,
  ask,
  askAsPage,
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
const give = (token: string, more: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  askAsPage('POST', '/v1/payment-notices', {token, body: {bank: 'garanti', notice: PERSON, ...more}, headers});

test('a shopper who forgot the code says so, and is led to the platform’s page and back', async () => {
  const {token, order} = await openOrder();
  const notice = {...PERSON, apply_time: '2026-11-21T09:30:00Z'};
  const answer = await give(
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
    'PaymentNotification[phone]': PERSON.phone,
    'PaymentNotification[tc_no]': PERSON.tc_no,
    'PaymentNotification[description]': PERSON.description,
    'PaymentNotification[apply_time]': '2026-11-21 12:30:00',
    'PaymentNotification[user_ip]': '198.51.100.4',
  });
  expect((await fetch(url)).status).toBe(200);
});

test('who does not say how much they sent is taken to have sent what the order costs now', async () => {
  const session = {kind: 'payment', service: 'DEMO', order: 'S-cheaper', amount: '149.90'};
  const {token} = await openMerchantSession(session);
  await openMerchantSession({...session, amount: '129.90'});
  read(await give(token), CreatedPaymentNotice);
  expect((await calls(CREATE))[0]?.params).toMatchObject({order: 'S-cheaper', amount: '129.90'});
});

test('a page is shown the payment also where nobody can be asked for its notice, and the operator hears why', async () => {
  const {token, order} = await openOrder();
  read(await give(token), CreatedPaymentNotice);
  await advance(MINUTE);
  await replaceBindings(orderObject(order), {SERVICES: 'none that can be read'});
  expect(await showPayment(token)).toMatchObject({state: 'waiting', notice: {sent: false}});
  await vi.waitFor(() =>
    expect(logLines('internal_error')).toMatchObject([{order, error: expect.stringMatching(/^ConfigError/) as string}]),
  );
});

test('every page of the order then knows of it, and the merchant is told', async () => {
  const {token, order} = await openOrder();
  const socket = await openSocket(token);
  expect((await socket.next()).notice).toBeNull();
  const {notice_code} = read(await give(token), CreatedPaymentNotice);
  const notice = {at: wireTime(), bank: 'garanti', amount: '149.90', sent: false};
  expect((await socket.next()).notice).toEqual(notice);
  expect(await showPayment(token)).toMatchObject({state: 'waiting', notice});
  expect(await showPayment((await handOff({token})).token)).toMatchObject({notice});
  const {items} = await contextOf(env).objects.outbox().read(0);
  expect(items).toMatchObject([
    {type: 'payment_notice.created', data: {service: 'DEMO', order, amount: '149.90', bank: 'garanti', notice_code}},
  ]);
  socket.close();
});

const noticeOf = async (token: string) => (await showPayment(token)).notice;
const setStatus = (code: string, status: number) => control(`notices/${code}/status`, {status});
const begun = async () => {
  const opened = await openOrder();
  return {...opened, notice_code: read(await give(opened.token), CreatedPaymentNotice).notice_code};
};

describe('whether the platform has the notice', () => {
  test('is asked for when somebody looks: who turned back on its page has told nothing', async () => {
    const {token, notice_code} = await begun();
    await advance(5 * SECOND);
    const socket = await openSocket(token);
    expect((await socket.next()).notice).toMatchObject({sent: false});
    await vi.waitFor(async () => expect(await countCalls(GET)).toBe(1));
    await setStatus(notice_code, 1);
    await advance(10 * SECOND);
    await showPayment(token);
    expect((await socket.next()).notice).toMatchObject({sent: true});
    socket.close();
  });

  test('is asked for by itself while a page stays open, ever more seldom, and no more once it is there', async () => {
    const {token, order, notice_code} = await begun();
    const wakes: number[] = [];
    for (let wake = 0; wake < 8; wake += 1) {
      const at = (await alarmIn(orderObject(order))) ?? 0;
      wakes.push(at / SECOND);
      await advance(at);
      await runDurableObjectAlarm(orderObject(order));
    }
    expect([wakes, await countCalls(GET)]).toEqual([[10, 20, 40, 80, 160, 320, 640, 1280], 8]);
    await setStatus(notice_code, 1);
    await advance(MINUTE);
    await showPayment(token);
    await vi.waitFor(async () => expect(await noticeOf(token)).toMatchObject({sent: true}));
    for (let view = 0; view < 3; view += 1) await showPayment(token);
    expect(await countCalls(GET)).toBe(9);
  });

  test('is forgotten with one that the platform dropped: the shopper may tell again', async () => {
    const {token, notice_code} = await begun();
    await setStatus(notice_code, -1);
    await advance(5 * SECOND);
    await showPayment(token);
    await vi.waitFor(async () => expect(await noticeOf(token)).toBeNull());
  });

  test('is not known while the platform does not say', async () => {
    const {token, notice_code} = await begun();
    await setStatus(notice_code, 1);
    // A refusal is not asked about again at once, as silence is.
    await setFault({operation: GET, kind: 'status', status: 'ERR_002', times: 1});
    await advance(5 * SECOND);
    await showPayment(token);
    await vi.waitFor(async () => expect(await countCalls(GET)).toBe(1));
    expect(await noticeOf(token)).toMatchObject({sent: false});
    await advance(10 * SECOND);
    await showPayment(token);
    await vi.waitFor(async () => expect(await noticeOf(token)).toMatchObject({sent: true}));
  });
});

test('who they are is kept in no object and in no log, whether a page or the merchant’s server says it', async () => {
  const {token, order} = await openOrder();
  await give(token);
  const input = {service: 'DEMO', order, amount: '140.00', bank: 'ziraat', notice: PERSON};
  const answer = await ask('/merchant/v1/payment-notices', {
    method: 'POST',
    headers: {
      authorization: 'Bearer sandbox-merchant-api-key',
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify(input),
  });
  expect(answer.status, answer.text).toBe(201);
  const [stored, logged] = [await everythingStored(), JSON.stringify(logLines())];
  expect(stored).toContain('garanti');
  expect(stored).toContain((answer.body as {notice_code: string}).notice_code);
  expect(logged).toContain('paymentNotificationCreate');
  for (const text of Object.values(PERSON)) for (const source of [stored, logged]) expect(source).not.toContain(text);
});

describe('a notice', () => {
  test('is given once by two pages at once, and five times a day', async () => {
    const {token} = await openOrder();
    const [one, other] = await Promise.all([give(token), give(token)]);
    expect(other.body).toEqual(one.body);
    for (const amount of ['1.00', '2.00', '3.00', '4.00']) read(await give(token, {amount}), CreatedPaymentNotice);
    expect(read(await give(token, {amount: '4.00'}), CreatedPaymentNotice).notice_code).toEqual(expect.any(String));
    const refused = await give(token, {amount: '5.00'});
    expectProblem(refused, PROBLEMS.rate_limited);
    expect(refused.headers.get('retry-after')).toBe('86400');
    expect(await countCalls(CREATE)).toBe(5);
    await advance(DAY);
    read(await give(token, {amount: '5.00'}), CreatedPaymentNotice);
  });

  test('that came to nothing takes none of the day’s five, but is not tried without end', async () => {
    const {token} = await openOrder();
    await setFault({operation: CREATE, kind: '500-html', times: 5});
    for (let press = 0; press < 5; press += 1) expectProblem(await give(token), PROBLEMS.temporarily_unavailable);
    const refused = await give(token);
    expectProblem(refused, PROBLEMS.rate_limited);
    expect(refused.headers.get('retry-after')).toBe('600');
    expect(await countCalls(CREATE)).toBe(5);
    await advance(10 * MINUTE);
    for (const amount of ['1.00', '2.00', '3.00', '4.00', '5.00'])
      read(await give(token, {amount}), CreatedPaymentNotice);
    expectProblem(await give(token, {amount: '6.00'}), PROBLEMS.rate_limited);
  });

  test('that failed by a fault of ours is given by who tries again', async () => {
    const {token, order} = await openOrder();
    await replaceBindings(orderObject(order), {GUARD: undefined});
    expectProblem(await give(token), PROBLEMS.internal);
    await replaceBindings(orderObject(order), {});
    read(await give(token), CreatedPaymentNotice);
    expect(await countCalls(CREATE)).toBe(1);
  });

  test('may be given days later, but not by who only reads', async () => {
    const shopper = await openOrder();
    expectProblem(await give((await handOff(shopper)).token), PROBLEMS.session_kind);
    await advance(3 * DAY);
    read(await give(shopper.token), CreatedPaymentNotice);
  });

  test('is of an order there is: its code is made first, while it may be', async () => {
    const {token} = await openSession();
    read(await give(token), CreatedPaymentNotice);
    expect(await countCalls('/orderToReference/create')).toBe(1);
    const late = await openSession();
    await advance(31 * MINUTE);
    expectProblem(await give(late.token), PROBLEMS.session_expired);
  });

  test('is refused by its fields', async () => {
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
      expect((await give(token, more)).body, path).toMatchObject({code: 'invalid_request', fields: [{path}]});
    expectProblem(await give(token, {amount: '0.00'}), {
      ...PROBLEMS.amount_invalid,
      fields: [{path: 'amount', message: 'Expected more than 0.'}],
    });
    expectProblem(await give(token, {redirect_url: 'https://evil.example/'}), {
      ...PROBLEMS.return_url_not_allowed,
      fields: [{path: 'redirect_url', message: 'This page may not return to this URL.'}],
    });
    expect(await countCalls(CREATE)).toBe(0);
  });

  test('that the platform refuses, or leaves unanswered, is told as such and shown nowhere', async () => {
    const {token} = await openOrder();
    expectProblem(await give(token, {bank: 'nobank'}), PROBLEMS.bank_invalid);
    await setFault({operation: CREATE, kind: '500-html', times: 1});
    expectProblem(await give(token), PROBLEMS.temporarily_unavailable);
    expect((await showPayment(token)).notice).toBeNull();
  });
});

const prefill = (token: string) => askAsPage('GET', '/v1/payment-notices/prefill', {token});

describe('what the form begins with', () => {
  const NOTHING = {amount: '149.90', name: null, email: null, phone: null, description: null};

  test('is what the merchant’s server said', async () => {
    const order = `S-${crypto.randomUUID()}`;
    const {token} = await openMerchantSession({
      kind: 'payment',
      service: 'DEMO',
      order,
      amount: '149.90',
      prefill: {name: PERSON.name, phone: PERSON.phone},
    });
    expect(read(await prefill(token), NoticePrefill)).toEqual({...NOTHING, name: PERSON.name, phone: PERSON.phone});
  });

  test('is what the order still lacks, and so is a notice that names no amount', async () => {
    const {token, code} = await openOrder();
    await pay({order_code: code, amount: '100.00'});
    await runSweep();
    expect(read(await prefill(token), NoticePrefill)).toEqual({...NOTHING, amount: '49.90'});
    read(await give(token), CreatedPaymentNotice);
    expect((await calls(CREATE)).map(({params}) => params['amount'])).toEqual(['49.90']);
    await pay({order_code: code, amount: '49.90'});
    await runSweep();
    expect(read(await prefill(token), NoticePrefill)).toEqual(NOTHING);
  });

  test('is nothing where nobody said anything, and nobody’s business on a second device', async () => {
    const shopper = await openOrder();
    expect(read(await prefill(shopper.token), NoticePrefill)).toEqual(NOTHING);
    expectProblem(await prefill((await handOff(shopper)).token), PROBLEMS.session_kind);
  });
});

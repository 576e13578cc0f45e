/** The vendor form of marketplaces, and the page to which it returns the vendor. */

import {expect, test} from 'vitest';
import {VendorForm} from '../../../../worker/contract/browser/answers.ts';
import {frameSandbox} from '../../../../worker/routes/browser/vendor-forms.ts';
import {advance, DAY, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {countObjectCalls} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {ask, askAsPage, openOrder, openVendor, ORIGIN, read, WORKER} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {calls, setFault} from '../../support/sandbox.ts';
import {breakOutbox, repairOutbox, outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();

const OPERATION = '/marketPlace/get-vendor-form-url';
const openForm = (token: string, body: object = {}) => askAsPage('POST', '/v1/vendor-forms', {token, body});
const NONCE = '0123456789ABCDEFGHJKMNPQRS';
const returnUrl = (outcome: string, nonce = NONCE) =>
  `${WORKER}/return/vendor?origin=${encodeURIComponent(ORIGIN)}&outcome=${outcome}&nonce=${nonce}`;

test('the form gets the data of the merchant’s server, and returns the vendor to the Worker’s own page', async () => {
  const {token} = await openVendor();
  const {url, nonce} = read(await openForm(token), VendorForm);
  expect(url).toMatch(/^https?:\/\//);
  const [call] = await calls(OPERATION);
  expect(call?.params).toMatchObject({
    code: 'DEMO',
    name: 'Ada Seramik',
    phone: '5321234567',
    iban: 'TR330006100519786457841326',
    success_url: expect.stringContaining(returnUrl('success', nonce)) as string,
    failure_url: returnUrl('failure', nonce),
  });
});

test('a page may set neither the vendor nor the return URLs', async () => {
  const {token} = await openVendor();
  for (const body of [{name: 'Somebody else'}, {success_url: 'https://evil.example'}])
    expect((await openForm(token, body)).status).toBe(422);
  expect(await calls(OPERATION)).toEqual([]);
});

test('a session of another kind and an expired session open no form', async () => {
  expectProblem(await openForm((await openOrder()).token), PROBLEMS.session_kind);
  const {token} = await openVendor();
  await advance(10 * MINUTE);
  expectProblem(await openForm(token), PROBLEMS.session_expired);
});

test('an error of the platform is reported as temporary, and a retry succeeds', async () => {
  const {token} = await openVendor();
  await setFault({operation: '/marketPlace/get-vendor-form-url', kind: '500-html', times: 1});
  expectProblem(await openForm(token), PROBLEMS.temporarily_unavailable);
  expect((await openForm(token)).status).toBe(200);
});

test('a form may keep its own origin in the frame only if that is another origin than the page’s and the Worker’s', () => {
  for (const [url, keeps] of [
    ['https://platform.example/form', true],
    ['http://127.0.0.1:8790/form', true],
    [`${ORIGIN}/form`, false],
    [`${WORKER}/form`, false],
    ['javascript:alert(1)', false],
    ['data:text/html,<script>alert(1)</script>', false],
    ['blob:https://pay.example/1', false],
  ] as const) {
    expect(frameSandbox(url, [ORIGIN, WORKER])).toBe(
      keeps ? 'allow-forms allow-scripts allow-same-origin' : 'allow-forms allow-scripts',
    );
  }
});

test('the return page names the outcome, the nonce and the only origin that may get them', async () => {
  const {pathname, search} = new URL(returnUrl('success'));
  const {status, text, headers} = await ask(pathname + search, {bindings: {ALLOWED_ORIGINS: ORIGIN}});
  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors http:\/\/localhost:5173 http:\/\/localhost:\* http:\/\/127\.0\.0\.1:\*$/,
  );
  expect(text).toContain(`data-origin="${ORIGIN}" data-outcome="success" data-nonce="${NONCE}"`);
});

test('only the merchant’s pages may frame the return page', async () => {
  const {pathname, search} = new URL(returnUrl('failure'));
  const {headers} = await ask(`${pathname}${search}`, {
    bindings: {ALLOWED_ORIGINS: `${ORIGIN} https://shop.example https://*.shop.example`},
  });
  expect(headers.get('content-security-policy')).toMatch(
    /; frame-ancestors http:\/\/localhost:5173 https:\/\/shop\.example https:\/\/\*\.shop\.example http:\/\/localhost:\* http:\/\/127\.0\.0\.1:\*$/,
  );
});

/** Opens the form and returns the path and query of its success URL. */
async function openFormForSuccessUrl(token: string): Promise<string> {
  read(await openForm(token), VendorForm);
  const address = (await calls(OPERATION)).at(-1)?.params['success_url'];
  return String(address).slice(WORKER.length);
}
const nonceOf = (address: string) => /nonce=(\w+)/.exec(address)?.[1] ?? '';
const outboxEvents = async () => (await outboxObject().read(0)).items.map(({type, data}) => ({type, data}));

test('the merchant’s server gets one event for a vendor who registered', async () => {
  const {token} = await openVendor();
  const success = await openFormForSuccessUrl(token);
  for (let visit = 0; visit < 2; visit += 1) expect((await ask(success)).text).toContain('data-outcome="success"');
  const [call] = await calls(OPERATION);
  expect(await outboxEvents()).toEqual([
    {type: 'vendor.registered', data: {service: 'DEMO', vendor_code: call?.params['vendor_code']}},
  ]);
  const rotated = {
    SESSION_SECRET: 'sandbox-a-new-session-secret-long-enough',
    SESSION_SECRET_PREVIOUS: 'sandbox-session-secret-that-is-long-enough',
  };
  expect((await ask(success, {bindings: rotated})).status).toBe(200);
});

test('if the event cannot be stored, the return page fails, and a reload stores the event', async () => {
  const {token} = await openVendor();
  const success = await openFormForSuccessUrl(token);
  await breakOutbox();
  expectProblem(await ask(success), PROBLEMS.temporarily_unavailable);
  await repairOutbox();
  expect([(await ask(success)).status, (await outboxEvents()).length]).toEqual([200, 1]);
});

test('a loop of reloads of a return URL costs the outbox one call', async () => {
  const {token} = await openVendor();
  const success = await openFormForSuccessUrl(token);
  const {'Outbox.append': appends} = await countObjectCalls(async () => {
    for (let visit = 0; visit < 20; visit += 1) expect((await ask(success)).status).toBe(200);
  });
  expect(appends).toBe(1);
});

test('concurrent requests of a return URL cost the outbox one call, and all later reloads one more', async () => {
  const {token} = await openVendor();
  const success = await openFormForSuccessUrl(token);
  const visits = (count: number) => Promise.all(Array.from({length: count}, () => ask(success)));
  expect(await countObjectCalls(() => visits(20))).toMatchObject({'Outbox.append': 1});
  const {'Outbox.append': appends} = await countObjectCalls(async () => {
    for (let minute = 0; minute < 5; minute += 1) {
      await advance(10 * MINUTE);
      await visits(2);
    }
  });
  expect(appends).toBe(1);
  expect(await outboxEvents()).toHaveLength(1);
});

test('a flood of returns from one address is refused without calling an object', async () => {
  const {token} = await openVendor();
  const success = await openFormForSuccessUrl(token);
  const keys: string[] = [];
  const bindings = {ADDRESS_RATE: {limit: ({key}: {key: string}) => Promise.resolve({success: keys.push(key) < 0})}};
  const objectCalls = await countObjectCalls(async () => {
    expectProblem(await ask(success, {headers: {'cf-connecting-ip': '198.51.100.7'}, bindings}), PROBLEMS.rate_limited);
  });
  expect([keys, objectCalls]).toEqual([['returns 198.51.100.7'], {}]);
});

test('the proof in a return URL expires after an hour, and is not valid for another form or expiry', async () => {
  const {token} = await openVendor();
  const [first, second] = [await openFormForSuccessUrl(token), await openFormForSuccessUrl(token)];
  await ask(first.replace(nonceOf(first), nonceOf(second)));
  await ask(first.replace(/expires=\d+/, `expires=${Date.now() + DAY}`));
  await ask(first.replace(/expires=\d+/, 'expires=x'));
  expect(await outboxEvents()).toEqual([]);
  await advance(HOUR - SECOND);
  await ask(first);
  expect(await outboxEvents()).toHaveLength(1);
  const other = await openFormForSuccessUrl((await openVendor()).token);
  await advance(HOUR);
  expect((await ask(other)).status).toBe(200);
  expect(await outboxEvents()).toHaveLength(1);
});

test('a return URL without a valid proof causes no event', async () => {
  const {token} = await openVendor();
  const success = await openFormForSuccessUrl(token);
  for (const address of [
    returnUrl('success').slice(WORKER.length),
    success.replace('outcome=success', 'outcome=failure'),
    success.replace('vendor_code=', 'vendor_code=X'),
    success.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  ]) {
    expect((await ask(address)).status, address).toBe(200);
  }
  expect(await outboxEvents()).toEqual([]);
});

test('there is no return page without a known outcome, origin and nonce', async () => {
  for (const address of [
    '/return/vendor',
    `/return/vendor?origin=${encodeURIComponent(ORIGIN)}&outcome=paid&nonce=${NONCE}`,
    `/return/vendor?origin=https://evil.example&outcome=success&nonce=${NONCE}`,
    `/return/vendor?origin=${encodeURIComponent(`${ORIGIN}"><script>alert(1)</script>`)}&outcome=success&nonce=${NONCE}`,
    `/return/vendor?origin=${encodeURIComponent(ORIGIN)}&outcome=success`,
    `/return/vendor?origin=${encodeURIComponent(ORIGIN)}&outcome=success&nonce=${encodeURIComponent('"><script>')}`,
  ]) {
    expectProblem(await ask(address), PROBLEMS.not_found);
  }
});

/** The marketplace form: for whom, and where it leads back to. */

import {expect, test} from 'vitest';
import {VendorForm} from '../../../../worker/contract/browser/answers.ts';
import {advance, MINUTE} from '../../support/clock.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {ask, askAsPage, openOrder, openVendor, ORIGIN, read, WORKER} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {calls, setFault} from '../../support/sandbox.ts';
import {breakOutbox, repairOutbox, outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();

const OPERATION = '/marketPlace/get-vendor-form-url';
const form = (token: string, body: object = {}) => askAsPage('POST', '/v1/vendor-forms', {token, body});
const NONCE = '0123456789ABCDEFGHJKMNPQRS';
const back = (outcome: string, nonce = NONCE) =>
  `${WORKER}/return/vendor?origin=${encodeURIComponent(ORIGIN)}&outcome=${outcome}&nonce=${nonce}`;

test('a vendor gets the form, with what the merchant’s server said and our own page to end on', async () => {
  const {token} = await openVendor();
  const {url, nonce} = read(await form(token), VendorForm);
  expect(url).toMatch(/^https?:\/\//);
  const [call] = await calls(OPERATION);
  expect(call?.params).toMatchObject({
    code: 'DEMO',
    name: 'Ada Seramik',
    phone: '5321234567',
    iban: 'TR330006100519786457841326',
    success_url: expect.stringContaining(back('success', nonce)) as string,
    failure_url: back('failure', nonce),
  });
});

test('a page names no vendor and no address', async () => {
  const {token} = await openVendor();
  for (const body of [{name: 'Somebody else'}, {success_url: 'https://evil.example'}])
    expect((await form(token, body)).status).toBe(422);
  expect(await calls(OPERATION)).toEqual([]);
});

test('a session of another kind opens no form, and one that is over neither', async () => {
  expectProblem(await form((await openOrder()).token), PROBLEMS.session_kind);
  const {token} = await openVendor();
  await advance(10 * MINUTE);
  expectProblem(await form(token), PROBLEMS.session_expired);
});

test('a platform in trouble is told as such', async () => {
  const {token} = await openVendor();
  await setFault({operation: '/marketPlace/get-vendor-form-url', kind: '500-html', times: 1});
  expectProblem(await form(token), PROBLEMS.temporarily_unavailable);
  expect((await form(token)).status).toBe(200);
});

test('the page at the end tells the page around it, and nobody it was not made for', async () => {
  const {status, text, headers} = await ask(new URL(back('success')).pathname + new URL(back('success')).search);
  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors http:\/\/localhost:5173$/,
  );
  expect(text).toContain(`data-origin="${ORIGIN}" data-outcome="success" data-nonce="${NONCE}"`);
});

test('the page at the end is framed by the merchant’s pages only, whichever of them', async () => {
  const {pathname, search} = new URL(back('failure'));
  const {headers} = await ask(`${pathname}${search}`, {
    bindings: {ALLOWED_ORIGINS: `${ORIGIN} https://shop.example https://*.shop.example`},
  });
  expect(headers.get('content-security-policy')).toMatch(
    /; frame-ancestors http:\/\/localhost:5173 https:\/\/shop\.example https:\/\/\*\.shop\.example$/,
  );
});

/** Where the platform's form leads a vendor who has registered. */
async function successOf(token: string): Promise<string> {
  read(await form(token), VendorForm);
  const address = (await calls(OPERATION)).at(-1)?.params['success_url'];
  return String(address).slice(WORKER.length);
}
const outboxEvents = async () => (await outboxObject().read(0)).items.map(({type, data}) => ({type, data}));

test('a vendor who comes back from the form is told to the merchant’s server, once', async () => {
  const {token} = await openVendor();
  const success = await successOf(token);
  for (let again = 0; again < 2; again += 1) expect((await ask(success)).text).toContain('data-outcome="success"');
  const [asked] = await calls(OPERATION);
  expect(await outboxEvents()).toEqual([
    {type: 'vendor.registered', data: {service: 'DEMO', vendor_code: asked?.params['vendor_code']}},
  ]);
  const rotated = {
    SESSION_SECRET: 'sandbox-a-new-session-secret-long-enough',
    SESSION_SECRET_PREVIOUS: 'sandbox-session-secret-that-is-long-enough',
  };
  expect((await ask(success, {bindings: rotated})).status).toBe(200);
});

test('a vendor who cannot be told of now hears of no success, and is told of when they come again', async () => {
  const {token} = await openVendor();
  const success = await successOf(token);
  await breakOutbox();
  expectProblem(await ask(success), PROBLEMS.temporarily_unavailable);
  await repairOutbox();
  expect([(await ask(success)).status, (await outboxEvents()).length]).toEqual([200, 1]);
});

test('an address that was not given out for the vendor tells nobody but the page', async () => {
  const {token} = await openVendor();
  const success = await successOf(token);
  for (const address of [
    back('success').slice(WORKER.length),
    success.replace('outcome=success', 'outcome=failure'),
    success.replace('vendor_code=', 'vendor_code=X'),
    success.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  ]) {
    expect((await ask(address)).status, address).toBe(200);
  }
  expect(await outboxEvents()).toEqual([]);
});

test.each([
  '/return/vendor',
  `/return/vendor?origin=${encodeURIComponent(ORIGIN)}&outcome=paid&nonce=${NONCE}`,
  `/return/vendor?origin=https://evil.example&outcome=success&nonce=${NONCE}`,
  `/return/vendor?origin=${encodeURIComponent(`${ORIGIN}"><script>alert(1)</script>`)}&outcome=success&nonce=${NONCE}`,
  `/return/vendor?origin=${encodeURIComponent(ORIGIN)}&outcome=success`,
  `/return/vendor?origin=${encodeURIComponent(ORIGIN)}&outcome=success&nonce=${encodeURIComponent('"><script>')}`,
])('there is no page at %s', async (address) => {
  expectProblem(await ask(address), PROBLEMS.not_found);
});

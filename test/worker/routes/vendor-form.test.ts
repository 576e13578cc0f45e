/** The marketplace form: for whom, and where it leads back to. */
import {expect, test} from 'vitest';
import {VendorForm} from '../../../worker/contract/browser-hosted.ts';
import {advance, MINUTE} from '../kit/clock.ts';
import {freshHouse} from '../kit/fresh-house.ts';
import {ask, askAsPage, openOrder, openVendor, ORIGIN, read, WORKER} from '../kit/page.ts';
import {expectProblem, PROBLEMS} from '../kit/problem.ts';
import {calls, plan} from '../kit/sandbox.ts';

freshHouse();

const OPERATION = '/marketPlace/get-vendor-form-url';
const form = (token: string, body: object = {}) => askAsPage('POST', '/v1/vendor-forms', {token, body});
const back = (outcome: string) => `${WORKER}/return/vendor?origin=${encodeURIComponent(ORIGIN)}&outcome=${outcome}`;

test('a vendor gets the form, with what the merchant’s server said and our own page to end on', async () => {
  const {token} = await openVendor();
  const {url} = read(await form(token), VendorForm);
  expect(url).toMatch(/^https?:\/\//);
  const [call] = await calls(OPERATION);
  expect(call?.params).toMatchObject({
    code: 'DEMO', name: 'Ada Seramik', phone: '5321234567', iban: 'TR330006100519786457841326', success_url: back('success'), failure_url: back('failure'),
  });
});

test('a page names no vendor and no address', async () => {
  const {token} = await openVendor();
  for (const body of [{name: 'Somebody else'}, {success_url: 'https://evil.example'}]) expect((await form(token, body)).status).toBe(422);
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
  await plan({operation: '/marketPlace/get-vendor-form-url', kind: '500-html', times: 1});
  expectProblem(await form(token), PROBLEMS.temporarily_unavailable);
  expect((await form(token)).status).toBe(200);
});

test('the page at the end tells the page around it, and nobody it was not made for', async () => {
  const {status, text, headers} = await ask(new URL(back('success')).pathname + new URL(back('success')).search);
  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'; frame-ancestors http:\/\/localhost:5173$/);
  expect(text).toContain(`data-origin="${ORIGIN}" data-outcome="success"`);
});

test('the page at the end is framed by the merchant’s pages only, whichever of them', async () => {
  const {pathname, search} = new URL(back('failure'));
  const {headers} = await ask(`${pathname}${search}`, {bindings: {ALLOWED_ORIGINS: `${ORIGIN} https://shop.example https://*.shop.example`}});
  expect(headers.get('content-security-policy')).toMatch(/; frame-ancestors http:\/\/localhost:5173 https:\/\/shop\.example https:\/\/\*\.shop\.example$/);
});

test.each([
  '/return/vendor',
  `/return/vendor?origin=${encodeURIComponent(ORIGIN)}&outcome=paid`,
  '/return/vendor?origin=https://evil.example&outcome=success',
  `/return/vendor?origin=${encodeURIComponent(`${ORIGIN}"><script>alert(1)</script>`)}&outcome=success`,
])('there is no page at %s', async (address) => {
  expectProblem(await ask(address), PROBLEMS.not_found);
});

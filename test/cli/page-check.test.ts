/** What `vezne doctor --page` finds on a page. */

import {expect, test} from 'vitest';
import {examinePage} from '../../cli/page-check.mjs';

const WORKER = new URL('https://pay.shop.example/merchant/v1/doctor');
const SCRIPT = '<script type="module" src="https://pay.shop.example/checkout.js?offer=lamp"></script>';
const ELEMENT = '<vezne-checkout offer="lamp"></vezne-checkout>';
const STRICT =
  "default-src 'none'; script-src https://pay.shop.example; connect-src https://pay.shop.example wss://pay.shop.example; img-src https://*.shop.example";

function find(html: string, headers: Record<string, string> = {}, isOriginAllowed = true): string[] {
  const page = {url: new URL('https://shop.example/cart'), headers: new Headers(headers), html};
  const known = {current: '1.5.0', releases: [{version: '1.5.0'}, {version: '1.4.0'}]};
  return examinePage(page, WORKER, known, isOriginAllowed).map(
    ({name, state, message}) => `${state} ${name}: ${message}`,
  );
}

test.for<[what: string, html: string, headers: Record<string, string>]>([
  ['without a policy', SCRIPT + ELEMENT, {}],
  ['with a strict policy', SCRIPT + ELEMENT, {'content-security-policy': STRICT}],
  [
    'with a nonce',
    SCRIPT.replace('src', 'nonce="n1" src'),
    {'content-security-policy': "script-src 'strict-dynamic' 'nonce-n1'"},
  ],
  [
    'with a session that no cache stores',
    `${SCRIPT}<vezne-checkout session="s.t"></vezne-checkout>`,
    {'cache-control': 'private'},
  ],
  ['with a second tag in a comment', `<!-- ${SCRIPT} -->${SCRIPT}`, {}],
])('nothing is wrong with a page %s', ([, html, headers]) => {
  expect(find(html, headers)).toEqual([]);
});

const POLICY = "The page's Content-Security-Policy refuses";
test.for<[what: string, html: string, headers: Record<string, string>, found: string[]]>([
  ['no script tag', ELEMENT, {}, ['warning page: The page has no script tag of the Worker in its HTML.']],
  ['the script twice', SCRIPT + SCRIPT, {}, ['failed page: The page loads checkout.js more than once.']],
  [
    'a script that is not a module',
    SCRIPT.replace(' type="module"', ''),
    {},
    ['failed page: The tag of checkout.js is not type="module", so it does not run.'],
  ],
  [
    'a script of another host',
    SCRIPT.replace('pay.shop', 'cdn.shop'),
    {},
    ['failed page: checkout.js comes from https://cdn.shop.example, not from the Worker at https://pay.shop.example.'],
  ],
  [
    'a policy that knows only the shop',
    SCRIPT,
    {'content-security-policy': "default-src 'self'"},
    [
      `failed policy: ${POLICY} checkout.js.`,
      `failed policy: ${POLICY} requests to the Worker.`,
      `warning policy: ${POLICY} the logos of banks.`,
    ],
  ],
  [
    'a policy without sockets',
    SCRIPT,
    {'content-security-policy': STRICT.replace(' wss://pay.shop.example', '')},
    [`warning policy: ${POLICY} sockets, so the page polls.`],
  ],
  [
    'a second policy in the page that is stricter',
    `<meta http-equiv="Content-Security-Policy" content="script-src 'self'">${SCRIPT}`,
    {'content-security-policy': STRICT},
    [`failed policy: ${POLICY} checkout.js.`],
  ],
  [
    'a session that caches may store',
    `${SCRIPT}<vezne-checkout session="s.t"></vezne-checkout>`,
    {'cache-control': 'public, max-age=60'},
    ['failed cache: The page has a session, and may be stored by a cache: other shoppers would get this session.'],
  ],
  [
    'a session that came from a cache',
    `${SCRIPT}<vezne-checkout session="s.t"></vezne-checkout>`,
    {'cache-control': 'private', age: '12'},
    ['failed cache: The page has a session, and came from a cache: other shoppers would get this session.'],
  ],
  [
    'files of releases that the Worker does not have',
    SCRIPT.replace('checkout.js', 'vezne/1.4.0/checkout.js') + SCRIPT.replace('checkout.js', 'vezne/0.9.0/activity.js'),
    {},
    [
      'warning release: The page has files of release 1.4.0, which the Worker serves.',
      'failed release: The page has files of release 0.9.0, which the Worker does not have.',
    ],
  ],
])('the doctor finds %s', ([, html, headers, found]) => {
  expect(find(html, headers)).toEqual(found);
});

test('the doctor says that the Worker refuses the page’s origin', () => {
  expect(find(SCRIPT, {}, false)).toEqual(['failed origin: The Worker refuses pages of https://shop.example.']);
});

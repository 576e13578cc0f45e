/** What `vezne doctor --page` finds on a page. */

import {expect, test} from 'vitest';
import {type OfferState, offersOf} from '../../cli/web/element-check.mjs';
import {examinePage} from '../../cli/web/page-check.mjs';
import {tagsOf} from '../../cli/web/tags.mjs';

const WORKER = new URL('https://pay.shop.example/merchant/v1/doctor');
const SCRIPT = '<script type="module" src="https://pay.shop.example/checkout.js?offer=lamp"></script>';
const ELEMENT = '<vezne-checkout offer="lamp"></vezne-checkout>';
const STRICT =
  "default-src 'none'; script-src https://pay.shop.example; connect-src https://pay.shop.example wss://pay.shop.example; img-src https://*.shop.example";

/** What every page has besides. */
const HEAD = '<!doctype html><html lang="en"><link rel="stylesheet" href="https://pay.shop.example/vezne.css">';

const find = (html: string, headers?: Record<string, string>, isOriginAllowed?: boolean) =>
  findIn(HEAD + html, headers, isOriginAllowed);

const CART = 'https://shop.example/cart';

function findIn(html: string, headers: Record<string, string> = {}, isOriginAllowed = true, url = CART): string[] {
  const page = {url: new URL(url), headers: new Headers(headers), html};
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

test("a page of the Worker's own host may name it 'self', for sockets too", () => {
  const own = {'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'"};
  expect(findIn(HEAD + SCRIPT + ELEMENT, own, true, 'https://pay.shop.example/cart')).toEqual([]);
  const policies = (url: string) =>
    findIn(HEAD + SCRIPT + ELEMENT, own, true, url).filter((finding) => finding.includes(' policy: '));
  expect(policies('http://pay.shop.example/cart')).toEqual([]);
  expect(policies('https://pay.shop.example:8443/cart')).not.toEqual([]);
});

test.for(['vezne', 'checkout', 'subscribe', 'vendor', 'refund', 'activity'])(
  'the doctor knows the script %s.js',
  (name) => {
    expect(find(SCRIPT.replace('checkout', name).replace(' type="module"', ''))).toEqual([
      `failed page: The tag of ${name}.js is not type="module", so it does not run.`,
    ]);
  },
);

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

const FULL =
  '<vezne-checkout offer="lamp"><span>Call us.</span><a slot="paid" hidden href="/">Continue</a></vezne-checkout>';
const TORN = '<vezne-checkout> contains a paragraph or a blank line, with which editors and minifiers tear it apart.';
const NO_SHEET =
  'The page has no link of vezne.css in its HTML, so that the elements jump, and links of a later state may flash.';
test.for<[what: string, html: string, found: string[]]>([
  ['a whole snippet', HEAD + SCRIPT + FULL, []],
  ['only a counter', `${SCRIPT.replace('checkout', 'activity')}<vezne-activity offer="lamp"></vezne-activity>`, []],
  ['a paragraph after the element', `${HEAD + SCRIPT + FULL}<p>Two days.</p>\n\n<p>Free.</p>`, []],
  ['the tags as a text', `${HEAD + SCRIPT}<pre>&lt;vezne-checkout&gt;&lt;p&gt;</pre>`, []],
  ['a paragraph in it', HEAD + SCRIPT + FULL.replaceAll('span', 'p'), [`warning ${TORN}`]],
  [
    'what wpautop made of it',
    `${HEAD + SCRIPT}<p><vezne-checkout offer="lamp"></p>\n<p>Call us.</p>\n</vezne-checkout>`,
    [`warning ${TORN}`],
  ],
  ['a blank line in it', HEAD + SCRIPT + FULL.replace('<a', '\n \n<a'), [`warning ${TORN}`]],
  [
    'a lost end tag',
    HEAD + SCRIPT + FULL.replace('</vezne-checkout>', ''),
    ['failed <vezne-checkout> has no end tag, so that what follows it disappears into it.'],
  ],
  [
    'a link of a later state that a sanitizer has shown',
    HEAD + SCRIPT + FULL.replace(' hidden', ''),
    ['warning What has slot="paid" in <vezne-checkout> is not hidden, so that it shows too early.'],
  ],
  ['no style sheet', `<html lang="en">${SCRIPT}${FULL}`, [`warning ${NO_SHEET}`]],
  [
    'the style sheet at the end',
    `<html lang="en">${SCRIPT}${FULL}<link rel=stylesheet href=/css/vezne.css?v=2>`,
    ['warning The link of vezne.css comes after an element, so that the skeleton comes late.'],
  ],
  [
    'no language',
    HEAD.replace(' lang="en"', '') + SCRIPT + FULL,
    ['warning The page has no lang, so the browser chooses the language of the elements.'],
  ],
  [
    'a language of the body',
    `${HEAD.replace(' lang="en"', '')}<body lang="tr"><main><div></div>${SCRIPT}${FULL}</main></body>`,
    [],
  ],
  ['a language around the element', `${HEAD.replace(' lang="en"', '')}<main lang="tr">${SCRIPT}${FULL}</main>`, []],
  [
    'a language of another part',
    `${HEAD.replace(' lang="en"', '')}<p lang="tr">Kasa</p>${SCRIPT}${FULL}`,
    ['warning The page has no lang, so the browser chooses the language of the elements.'],
  ],
  ['a language of the element', HEAD.replace(' lang="en"', '') + SCRIPT + FULL.replace('offer', 'lang="tr" offer'), []],
])('of the snippet, the doctor sees %s', ([, html, found]) => {
  expect(findIn(html)).toEqual(found.map((each) => each.replace(' ', ' snippet: ')));
});

const elementsIn = (html: string, offers?: ReadonlyMap<string, OfferState>) => {
  const page = {url: new URL('https://shop.example/cart'), headers: new Headers(), html: HEAD + html};
  return examinePage(page, WORKER, null, true, offers)
    .filter(({name}) => name === 'elements')
    .map(({message}) => message);
};
const tag = (name: string) => `<script type="module" src="https://pay.shop.example/${name}.js"></script>`;
const element = (name: string, attributes = '') => `<${name} ${attributes}></${name}>`;

const missing = (...names: string[]) => names.map((name) => `No script of the page defines <${name}>.`);

test('an element that no script defines, and a misspelt one, are named; two scripts serve the tracker too', () => {
  const all = ['vezne-vendor-form', 'vezne-activity', 'vezne-checkout', 'vezne-pin-subscribe', 'vezne-refund-contact'];
  const page = all.map((name) => element(name)).join('');
  expect(elementsIn(tag('checkout') + page)).toEqual(
    missing('vezne-vendor-form', 'vezne-pin-subscribe', 'vezne-refund-contact'),
  );
  expect(elementsIn(tag('subscribe') + tag('vendor') + page)).toEqual(
    missing('vezne-checkout', 'vezne-refund-contact'),
  );
  expect(elementsIn(tag('vendor') + element('vezne-activity'))).toEqual(missing('vezne-activity'));
  // A bundle of the page may define them.
  for (const scripts of ['', tag('vezne')]) expect(elementsIn(scripts + page)).toEqual([]);
  expect(elementsIn(tag('vezne') + element('vezne-chekout'))).toEqual(['There is no element <vezne-chekout>.']);
});

const offersIn = (text: string) => offersOf([...tagsOf(text)], new URL('https://shop.example/'), WORKER);

test('an offer that the Worker does not have, or of the other kind, is named', () => {
  const offers = new Map<string, OfferState>([
    ['lamp', 'payment'],
    ['club', 'subscription'],
    ['old', 'expired'],
    ['lmap', 'unknown'],
  ]);
  const rows: [string, string, string[]][] = [
    ['vezne-checkout', 'offer="lamp"', []],
    ['vezne-activity', 'offer="club"', []],
    [
      'vezne-pay-button',
      'offer="lmap"',
      ['<vezne-pay-button> names the offer "lmap", which the Worker does not have.'],
    ],
    ['vezne-checkout', 'offer="club"', ['<vezne-checkout> names "club", which is a subscription offer.']],
    ['vezne-pin-subscribe', 'offer="lamp"', ['<vezne-pin-subscribe> names "lamp", which is a payment offer.']],
    ['vezne-checkout', 'offer="old"', ['The offer "old" of <vezne-checkout> has expired.']],
    ['vezne-checkout', 'offer="lmap" session="s.t"', []],
    ['vezne-checkout', 'offer="lmap" api="https://other.example"', []],
    ['vezne-checkout', 'offer="not-asked"', []],
  ];
  for (const [name, attributes, found] of rows)
    expect(elementsIn(tag('vezne') + element(name, attributes), offers), attributes).toEqual(found);
  const html = rows.map(([name, attributes]) => element(name, attributes)).join('');
  expect(offersIn(html)).toEqual({names: ['lamp', 'club', 'lmap', 'old', 'not-asked'], omitted: []});
  const many = Array.from({length: 12}, (_, index) => element('vezne-checkout', `offer="lamp-${index}"`)).join('');
  const {names, omitted} = offersIn(many);
  expect(names).toHaveLength(10);
  expect(omitted.map(({message}) => message)).toEqual([
    'The page names 12 offers, of which the first 10 were checked.',
  ]);
});

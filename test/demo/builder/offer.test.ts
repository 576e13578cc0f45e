/** An offer that the settings lack: what it needs, and the lines of the settings that make it. */

import {parse} from 'smol-toml';
import {expect, test} from 'vitest';
import {type Choices, offerName, readChoices, writeChoices} from '../../../demo/builder/choices.ts';
import {type Offers, TAGS} from '../../../demo/builder/elements.ts';
import {gapsOf, offerLines} from '../../../demo/builder/offer.ts';

interface Parsed {
  readonly offers: ReadonlyMap<string, object>;
  readonly unusable: {readonly reasons: readonly string[]};
}
/** The types of the Worker need other libraries than those of the demo. */
const load = async (file: string) =>
  (await import(new URL(`../../../worker/config/${file}`, import.meta.url).href)) as unknown;
const {Mistakes} = (await load('mistakes.ts')) as {Mistakes: new () => object};
const {parseOffers} = (await load('offers.ts')) as {parseOffers(...given: object[]): Parsed};

const seller = {name: 'Fener Atölyesi'};
const OFFERS: Offers = {
  gold: {kind: 'payment', service: 'SHOP', amount: '149.90', title: {tr: 'Lamba', en: 'Lamp'}, seller},
};
const read = (query: string, offers = OFFERS) => readChoices(new URLSearchParams(query), offers);
const NEW = '?offer=&name=vazo&title=Vazo&amount=1.249%2C90';

test.each([
  ['', []],
  [NEW, []],
  ['?offer=', ['name', 'title', 'amount']],
  [NEW.replace('1.249%2C90', '0'), ['amount']],
  [NEW.replace('vazo', 'v%C3%A2zo'), ['name']],
  [NEW.replace('1.249%2C90', '100000000'), ['amount']],
  [NEW.replace('vazo', 'gold'), ['taken']],
  [NEW.replace('vazo', 'constructor'), []],
  [NEW.replace('Vazo', '%E2%80%AE%00'), ['title']],
  ['?element=vezne-pin-subscribe', ['offer']],
  ['?element=vezne-vendor-form', []],
])('the choices %s lack %j', (query, gaps) => {
  expect(gapsOf(read(query), OFFERS, 'tr')).toEqual(gaps);
});

test('a new offer is in the address, and its name in the page', () => {
  expect(writeChoices(read(NEW), OFFERS)).toBe(NEW.replaceAll('%2C', ','));
  expect(offerName(read(`${NEW}&fields=name`))).toBe('vazo');
  expect(offerName(read('', {}))).toBe('');
});

test.each(TAGS)('the settings need no lines for %s as it is', (element) => {
  expect(offerLines(read(`?element=${element}`), OFFERS, 'tr')).toBe('');
});

test('the name of an offer that also asks who buys is not too long for the Worker', () => {
  const long = 'a'.repeat(40);
  const fields = 'name,email,phone,address,marketing';
  expect(offerName(read(`?fields=${fields}`, {[long]: OFFERS['gold'] as Offers[string]}))).toBe(
    `aaaaa-${fields.replaceAll(',', '-')}`,
  );
});

test.each([
  NEW,
  `${NEW}&fields=name,marketing`,
  '?fields=email',
  NEW.replace('vazo', 'constructor'),
  NEW.replace('Vazo', `%E2%80%AEVazo%07${'x'.repeat(74)}%F0%9F%98%80`),
])('the Worker accepts the lines that the settings need for %s, also beside an offer without a seller', (query) => {
  const choices = read(query);
  expect(unusableIn(choices, OFFERS)).toEqual([]);
  const {seller: _, ...gold} = OFFERS['gold'] as Offers[string];
  expect(unusableIn(choices, {gold})).toEqual([]);
});

/** Why the Worker does not accept the lines that the settings need. */
function unusableIn(choices: Choices, known: Offers): unknown {
  const lines = offerLines(choices, known, 'tr');
  const {vars} = parse(lines) as unknown as {vars: {OFFERS: object}};
  expect(Object.keys(vars.OFFERS)).toEqual([offerName(choices)]);
  const {offers, unusable} = parseOffers({OFFERS: vars.OFFERS}, {SHOP: {}}, [], new Mistakes());
  expect([...offers.keys()]).toEqual([offerName(choices)]);
  return unusable.reasons;
}

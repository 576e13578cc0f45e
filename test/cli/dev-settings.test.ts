/** The offers of the Worker that `npm start` runs. */

import {expect, test} from 'vitest';
import {offerVars, readOffers} from '../../cli/dev-settings.mjs';

const PAGE = 'http://localhost:9300';
const CLUB = {kind: 'subscription', terms_url: 'http://localhost:5173/terms'};
const GOLD = {kind: 'payment', service: 'DEMO'};

/** The offers in the variables that `npm start` passes to the Worker. */
function start(base: object, own: object = {}): Record<string, unknown> {
  const vars = offerVars(readOffers(base, 'wrangler.toml'), readOffers(own, 'own.toml'), PAGE);
  return Object.fromEntries(Object.entries(vars).map(([name, text]) => [name, JSON.parse(text) as unknown]));
}

test.for([
  ['tables', {OFFERS: {gold: GOLD}, OFFERS_2: {club: CLUB}}],
  ['JSON text', {OFFERS: JSON.stringify({gold: GOLD}), OFFERS_2: JSON.stringify({club: CLUB})}],
] as const)('npm start moves the links of all demo offers to its port, if the offers are %s', ([, base]) => {
  expect(start(base)).toEqual({OFFERS: {gold: GOLD}, OFFERS_2: {club: {...CLUB, terms_url: `${PAGE}/terms`}}});
});

test('npm start works with own offers alone, and sells them under the service of the sandbox', () => {
  const own = {OFFERS: {lamp: {kind: 'payment', service: 'SHOP'}}, OFFERS_2: {own: CLUB}};
  expect(start({}, own)).toEqual({OFFERS: {lamp: GOLD, own: CLUB}});
});

test('npm start replaces a demo offer by the own offer of the same name', () => {
  expect(start({OFFERS_2: {club: CLUB, gold: GOLD}}, {OFFERS: {club: GOLD}})).toEqual({
    OFFERS: {club: GOLD},
    OFFERS_2: {gold: GOLD},
  });
});

test('npm start names the file whose offers are neither a table nor JSON', () => {
  expect(() => start({OFFERS_2: 'gold'})).toThrow(
    'Not started:\n  OFFERS_2: This is neither a table nor JSON.\nCorrect wrangler.toml.',
  );
});

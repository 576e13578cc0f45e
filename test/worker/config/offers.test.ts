import {expect, test} from 'vitest';
import {readConfig} from '../../../worker/config/config.ts';
import {club, gold, VALID} from './support/bindings.ts';

test('a subscription offer may have a trial, a seller, and links that begin with https:// or http://', () => {
  const seller = {name: 'X', support_phone: '0850 000 00 00'};
  const links = {
    trial_days: 7,
    terms_url: 'https://shop.example/terms',
    privacy_url: 'http://localhost:5173/privacy',
    seller,
  };
  expect(readConfig({...VALID, OFFERS: {club: {...club, ...links}}}).offers.get('club')).toMatchObject(links);
});

test('OFFERS and variables such as OFFERS_2 are merged, and OFFERS_X is ignored', () => {
  const {offers} = readConfig({
    ...VALID,
    OFFERS: {gold, club},
    OFFERS_2: JSON.stringify({silver: {...gold, amount: '99.00'}}),
    OFFERS_17: {copper: {...gold, hours: 1}},
    OFFERS_X: '{',
  });
  expect([...offers]).toEqual([
    ['gold', {...gold, hours: 72}],
    ['club', club],
    ['silver', {...gold, amount: '99.00', hours: 72}],
    ['copper', {...gold, hours: 1}],
  ]);
});

/** Which offers can be sold, and what is wrong with the others. */
function offersOf(bindings: Record<string, unknown>): {sold: string[]; wrong: string[]; reasons: readonly string[]} {
  const {offers, unusableOffers} = readConfig({...VALID, ...bindings});
  const wrong = [...unusableOffers.names, ...unusableOffers.variables];
  return {sold: [...offers.keys()], wrong, reasons: unusableOffers.reasons};
}

const AMOUNT_EXPECTED = 'Expected decimal text with at most two places, such as "149.90".';

/** An offer that asks who buys. */
const asking = {...gold, seller: {name: 'X'}, privacy_url: 'https://shop.example/privacy', fields: {email: 'required'}};
const NOTICE_EXPECTED = 'Fields need privacy_url, the page that says how the seller uses the shopper’s data.';
const sentence = {tr: 'Metin', en: 'Text'};
const own = {id: 'size', type: 'text', label: sentence};
const choices = [
  {value: 's', label: sentence},
  {value: 'm', label: sentence},
];
const asksOwn = (...fields: object[]) => ({...asking, fields: {own: fields}});

test('an offer may ask for the buyer, three fields of its own, and consent to marketing', () => {
  const fields = {
    email: 'required',
    name: 'optional',
    phone: 'optional',
    address: 'required',
    own: [
      own,
      {...own, id: 'color', type: 'choice', choices},
      {...own, id: 'ok', type: 'tick', required: true, links: []},
    ],
    marketing: sentence,
    keep_days: 400,
  };
  expect(readConfig({...VALID, OFFERS: {gold: {...asking, fields}}}).offers.get('gold')).toMatchObject({fields});
});

test.for<[offer: Record<string, unknown>, reason: string]>([
  [{...gold, amount: '149,90'}, `amount: ${AMOUNT_EXPECTED}`],
  [{...gold, amount: '149.905'}, `amount: ${AMOUNT_EXPECTED}`],
  [{...gold, amount: '0.00'}, 'amount: Expected more than 0.'],
  [{...gold, amount: '100000000'}, 'amount: Expected at most 99999999.99.'],
  [{...gold, amount: 149.9}, 'amount: Expected text.'],
  [{...gold, title: {tr: 'Lamba'}}, 'title.en: This field is missing.'],
  [{...gold, kind: 'gift'}, 'kind: Expected one of payment, subscription.'],
  [{...gold, kind: undefined}, 'kind: This field is missing.'],
  [{...gold, price: '1.00'}, 'price: This field is not accepted.'],
  [{...gold, hours: 0}, 'hours: Expected more than 0.'],
  [{...gold, hours: 24 * 91}, 'hours: Expected at most 2160.'],
  [{...gold, service: 'OTHER'}, 'service: SERVICES does not have the service "OTHER".'],
  [{...gold, seller: {}}, 'seller.name: This field is missing.'],
  [{...gold, seller: {name: 'X', support_phone: 'call us'}}, 'seller.support_phone: Expected a phone number.'],
  [
    {...gold, seller: {name: 'X', support_url: 'javascript:alert(1)'}},
    'seller.support_url: Expected a URL that begins with https:// or http://.',
  ],
  [{...gold, seller: {name: 'X', phone: '1'}}, 'seller.phone: This field is not accepted.'],
  [
    {...gold, expires_at: 'tomorrow'},
    'expires_at: Expected an existing time with an offset (RFC 3339), such as 2026-11-21T15:42:00+03:00.',
  ],
  [{...gold, theme: {accent: 'red'}}, 'theme.accent: Expected a color such as "#0b5cad".'],
  [{...gold, uses: 'one'}, 'uses: This field is not accepted.'],
  [{...asking, privacy_url: undefined}, `privacy_url: ${NOTICE_EXPECTED}`],
  [{...asking, privacy_url: '/privacy'}, 'privacy_url: Expected a URL that begins with https:// or http://.'],
  [{...asking, terms_url: 'javascript:alert(1)'}, 'terms_url: Expected a URL that begins with https:// or http://.'],
  [{...asking, seller: undefined}, 'seller: Fields need a seller with a name, which stands before the first field.'],
  [{...asking, fields: {}}, 'fields: Expected at least one field, such as email = "required".'],
  [{...asking, fields: {keep_days: 7}}, 'fields: Expected at least one field, such as email = "required".'],
  [{...asking, fields: {email: true}}, 'fields.email: Expected one of required, optional.'],
  [{...asking, fields: {email: 'required', birthday: 'optional'}}, 'fields.birthday: This field is not accepted.'],
  [{...asking, fields: {email: 'required', keep_days: 401}}, 'fields.keep_days: Expected at most 400.'],
  [{...asking, fields: {marketing: {tr: 'Evet'}}}, 'fields.marketing.en: This field is missing.'],
  [
    asksOwn(own, {...own, id: 'b'}, {...own, id: 'c'}, {...own, id: 'd'}),
    'fields.own: Expected at most 3 fields of your own.',
  ],
  [asksOwn(own, own), 'fields.own: Two fields have the same id.'],
  [
    asksOwn({...own, id: 'Größe'}),
    'fields.own.0.id: Expected up to 32 of a–z, digits and "_", beginning with a letter.',
  ],
  [asksOwn({...own, type: 'date'}), 'fields.own.0.type: Expected one of text, choice, tick.'],
  [asksOwn({...own, label: undefined}), 'fields.own.0.label: This field is missing.'],
  [asksOwn({...own, type: 'choice'}), 'fields.own.0.choices: A choice needs at least 2 choices.'],
  [asksOwn({...own, type: 'choice', choices: choices.slice(1)}), 'fields.own.0.choices: Expected at least 2 items.'],
  [
    asksOwn({...own, type: 'choice', choices: [...choices, ...choices]}),
    'fields.own.0.choices: Two choices have the same value.',
  ],
  [asksOwn({...own, choices}), 'fields.own.0.choices: Only a field of the type "choice" has choices.'],
  [asksOwn({...own, links: []}), 'fields.own.0.links: Only a field of the type "tick" has links.'],
  [
    asksOwn({...own, type: 'tick', links: [{text: sentence, url: 'javascript:alert(1)'}]}),
    'fields.own.0.links.0.url: Expected a URL that begins with https:// or http://.',
  ],
  [{...club, fields: {email: 'required'}}, 'fields: This field is not accepted.'],
  [{...club, price: '0.00'}, 'price: Expected more than 0.'],
  [{...club, trial_days: 0}, 'trial_days: Expected more than 0.'],
  [{...club, operators: []}, 'operators: Expected at least 1 item.'],
  [{...club, operators: [{id: 8, name: 'Sekiz'}]}, 'operators.0.id: Expected at most 7.'],
  [{...club, terms: {tr: 'x'}}, 'terms.en: This field is missing.'],
  [{...club, terms_url: '/terms'}, 'terms_url: Expected a URL that begins with https:// or http://.'],
  [{...club, privacy_url: 'javascript:alert(1)'}, 'privacy_url: Expected a URL that begins with https:// or http://.'],
  [{...club, manage_url: `https://shop.example/${'x'.repeat(2000)}`}, 'manage_url: Expected at most 2000 characters.'],
  [{...club, product: -1}, 'product: Expected at least 0.'],
])('if an offer is wrong, only this offer is left out, and its mistake is named once: %j', ([offer, reason]) => {
  expect(offersOf({OFFERS: {gold, lamp: offer}})).toEqual({
    sold: ['gold'],
    wrong: ['lamp'],
    reasons: [`OFFERS.lamp.${reason}`],
  });
});

test('the amount of an offer may have up to two decimal places, and is read with two', () => {
  const whole = {...gold, amount: '149'};
  const one = {...gold, amount: '149.9'};
  const {offers} = readConfig({...VALID, OFFERS: {whole, one, gold, club: {...club, price: '12'}}});
  expect([...offers.values()].map((offer) => (offer.kind === 'payment' ? offer.amount : offer.price))).toEqual([
    '149.00',
    '149.90',
    '149.90',
    '12.00',
  ]);
});

test('an offer whose name is too long is left out', () => {
  const name = 'x'.repeat(65);
  expect(offersOf({OFFERS: {gold, [name]: gold}})).toEqual({
    sold: ['gold'],
    wrong: [name],
    reasons: [`OFFERS.${name}: The name of an offer has 1 to 64 characters.`],
  });
});

test.for(['', '{', '[]'])(
  'if one variable with offers cannot be read, the offers of other variables are still sold: %j',
  (text) => {
    expect(offersOf({OFFERS_2: text})).toEqual({
      sold: ['gold'],
      wrong: ['OFFERS_2'],
      reasons: [`OFFERS_2: ${text === '[]' ? 'Expected an object.' : 'This is neither a table nor JSON.'}`],
    });
  },
);

test('of two offers with the same name, neither can be sold, even if they are of different kinds', () => {
  expect(offersOf({OFFERS: {gold, club}, OFFERS_2: {club: gold}, OFFERS_3: {club}})).toEqual({
    sold: ['gold'],
    wrong: ['club'],
    reasons: ['OFFERS_2.club: Another offer has the same name.', 'OFFERS_3.club: Another offer has the same name.'],
  });
});

test('OFFERS is optional if OFFERS_2 exists', () => {
  const {OFFERS: _offers, ...rest} = VALID;
  expect(readConfig({...rest, OFFERS_2: {gold}}).offers.size).toBe(1);
});

test('no payment page sells where nobody would see its money', () => {
  const page = {PAYMENT_PAGE_SECRET: 'hush-page-secret'};
  for (const [bindings, message] of [
    [{MICROPAYMENT_URL: undefined}, 'Payment pages need MICROPAYMENT_URL, which shows their money.'],
    [{SERVICES: {KTP: {}}}, 'Payment pages need a micropaymentId in SERVICES, which shows their money.'],
  ] as const) {
    const {paymentPage, unusableOffers} = readConfig({...VALID, ...page, ...bindings});
    expect(paymentPage).toBeNull();
    expect(unusableOffers).toMatchObject({
      names: new Set(),
      pages: message,
      reasons: [`PAYMENT_PAGE_SECRET: ${message}`],
    });
  }
  const {PHS_URL: _url, MERCHANT_KEY: _key, MERCHANT_IP: _ip, ...billing} = VALID;
  const alone = {...billing, ...page};
  const sold = (bindings: object) => [...readConfig({...alone, ...bindings}).offers.keys()];
  expect(sold({})).toEqual(['gold']);
  expect(sold({MICROPAYMENT_URL: undefined})).toEqual([]);
  expect(sold({SERVICES: {KTP: {}, MORE: {micropaymentId: 1}}})).toEqual([]);
});

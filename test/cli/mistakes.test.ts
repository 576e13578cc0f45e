/** What the commands say about settings that are misspelt: the name that is meant, and the line. */

import {expect, test} from 'vitest';
import {findExposedSecrets, findMistakes, findUnknownNames, placesOf} from '../../cli/mistakes.mjs';
import {fieldNames, SETTING_NAMES} from '../../cli/worker-config.mjs';

const BASE = {
  PHS_URL: 'https://platform.example/phs',
  MERCHANT_ID: '1',
  MERCHANT_IP: '192.0.2.1',
  MERCHANT_KEY: 'the-key-of-the-platform',
  SESSION_SECRET: '0123456789abcdef0123456789abcdef',
  ALLOWED_ORIGINS: 'https://shop.example',
  SERVICES: {SHOP: {}},
  OFFERS: {},
};
const LAMP = {kind: 'payment', service: 'SHOP', amount: '1', title: {tr: 'Lamba', en: 'Lamp'}};
const TEXT = {tr: 'a', en: 'b'};

test.for<[values: object, toml: string, mistakes: readonly string[]]>([
  [
    {LIMITS: {address_pin_per_hour: 5}},
    '[vars]\nLIMITS = {address_pin_per_hour = 5}',
    ['LIMITS.address_pin_per_hour: This field is not accepted (line 2 of v.toml). Did you mean address_pins_per_hour?'],
  ],
  [
    {LIMITS: {addressPinsPerHour: 5}},
    '[vars.LIMITS]\n# mine\naddressPinsPerHour = 5',
    ['LIMITS.addressPinsPerHour: This field is not accepted (line 3 of v.toml). Did you mean address_pins_per_hour?'],
  ],
  // The nearest of several similar names, and no name for a limit that cannot be set.
  [
    {LIMITS: {number_pins_perday: 5, order_sockets: 1}},
    '',
    [
      'LIMITS.number_pins_perday: This field is not accepted. Did you mean number_pins_per_day?',
      'LIMITS.order_sockets: This field is not accepted.',
    ],
  ],
  [
    {QUOTAS: {refund_charges: {day: 1}, phs_calls: {minutes: 1}}},
    '[vars.QUOTAS]\nrefund_charges = {day = 1}\n[vars.QUOTAS.phs_calls]\nminutes = 1',
    [
      'QUOTAS.phs_calls.minute: This field is missing.',
      'QUOTAS.phs_calls.minutes: This field is not accepted (line 4 of v.toml). Did you mean minute?',
      'QUOTAS.refund_charges: This field is not accepted (line 2 of v.toml). Did you mean refund_charge?',
    ],
  ],
  [
    {OFFERS: {lamp: {...LAMP, hour: 2, seller: {name: 'x', support_mail: 'a@b.example'}}}},
    '[vars.OFFERS.lamp]\nhour = 2\nseller = {name = "x", support_mail = "a@b.example"}',
    [
      'OFFERS.lamp.seller.support_mail: This field is not accepted (line 3 of v.toml). Did you mean support_email?',
      'OFFERS.lamp.hour: This field is not accepted (line 2 of v.toml). Did you mean hours?',
    ],
  ],
  [
    {
      TRANSFER_TIMES: {
        rules: [
          {from: 'same_bank', text: TEXT},
          {from: 'other_bank', text: TEXT, ends: '17:00'},
        ],
      },
    },
    '[[vars.TRANSFER_TIMES.rules]]\nfrom = "same_bank"\n[[vars.TRANSFER_TIMES.rules]]\nfrom = "other_bank"\nends = "17:00"',
    ['TRANSFER_TIMES.rules.1.ends: This field is not accepted (line 5 of v.toml). Did you mean end?'],
  ],
  [
    {PLATFORM_STATUSES: {transactions: {}}},
    '[vars]\n"PLATFORM_STATUSES" = {transactions = {}}',
    ['PLATFORM_STATUSES.transactions: This field is not accepted (line 2 of v.toml). Did you mean transaction?'],
  ],
  // What looks like a setting or a header inside a value of several lines is none.
  [
    {OFFERS: {lamp: {...LAMP, hour: 2, seller: {name: 'x', hour: 1}, title: {...TEXT, de: 'c'}}}},
    "[vars.OFFERS.'lamp']\r\nseller = {\r\n  hour = 1,\r\n}\r\ntitle.tr = '''\r\n[vars]\r\n'''\r\ntitle.de = 'c'\r\nhour = 2\r\n",
    [
      'OFFERS.lamp.title.de: This field is not accepted (line 8 of v.toml).',
      'OFFERS.lamp.seller.hour: This field is not accepted (line 2 of v.toml).',
      'OFFERS.lamp.hour: This field is not accepted (line 9 of v.toml). Did you mean hours?',
    ],
  ],
  // A list of texts, of which one has several lines.
  [
    {OFFERS: {lamp: {...LAMP, hour: 2}}},
    '[other]\ntexts = [\n  """a\nb = 1\n""",\n  "c",\n]\n[vars.OFFERS.lamp]\nhour = 2',
    ['OFFERS.lamp.hour: This field is not accepted (line 9 of v.toml). Did you mean hours?'],
  ],
  // A table of lists, each with a table of the same name, as those of wrangler have.
  [
    {OFFERS: {lamp: {...LAMP, hour: 2}}},
    '[[ratelimits]]\nname = "A"\n[ratelimits.simple]\nlimit = 1\n[[ratelimits]]\nname = "B"\n' +
      '[ratelimits.simple]\nlimit = 2\n[vars.OFFERS.lamp]\nhour = 2',
    ['OFFERS.lamp.hour: This field is not accepted (line 10 of v.toml). Did you mean hours?'],
  ],
  [
    {
      TRANSFER_TIMES: {
        rules: [
          {from: 'same_bank', text: TEXT, ends: '1'},
          {from: 'other_bank', text: TEXT, ends: '2'},
        ],
      },
    },
    '[[vars.TRANSFER_TIMES.rules]]\nfrom = "same_bank"\n[vars.TRANSFER_TIMES.rules.text]\ntr = "x"\n' +
      '[[vars.TRANSFER_TIMES.rules]]\nends = "2"\n[vars.TRANSFER_TIMES.rules.text]\ntr = "x"',
    [
      'TRANSFER_TIMES.rules.0.ends: This field is not accepted (line 1 of v.toml). Did you mean end?',
      'TRANSFER_TIMES.rules.1.ends: This field is not accepted (line 6 of v.toml). Did you mean end?',
    ],
  ],
  // A name in a table with secrets may be a secret.
  [
    {SERVICES: {SHOP: {privatekey: 'hush'}}},
    '[vars.SERVICES.SHOP]\nprivatekey = "hush"',
    ['SERVICES: This field is not accepted (line 1 of v.toml).'],
  ],
])('a misspelt field is named with its line and the name that is meant: %j', ([values, text, mistakes]) => {
  expect(findMistakes({...BASE, ...values}, {name: 'v.toml', text})).toEqual(mistakes);
});

test('a misspelt setting is named with its line; a setting of the operator’s is no mistake', () => {
  const file = {name: 'v.toml', text: 'name = "x"\n[vars]\nLIMIT = {}\nACCOUNTING = 1\n'};
  expect(findUnknownNames({LIMIT: {}, ACCOUNTING: 1}, file)).toEqual({
    mistakes: ['LIMIT: Vezne has no setting of this name (line 3 of v.toml). Did you mean LIMITS?'],
    others: ['ACCOUNTING'],
  });
});

test('a misspelt secret among the settings is named with its line, and the operator learns where it belongs', () => {
  const file = {name: 'v.toml', text: '[vars]\nMERCHANT_API_KYE = "hush"\n'};
  const named = 'Vezne has no setting of this name';
  expect(findUnknownNames({MERCHANT_API_KYE: 'hush', SESSION_SECRETS: 'hush'}, file).mistakes).toEqual([
    `MERCHANT_API_KYE: ${named} (line 2 of v.toml). Did you mean MERCHANT_API_KEY? It is a secret: move it to the file of secrets.`,
    `SESSION_SECRETS: ${named}. Did you mean SESSION_SECRET?`,
  ]);
});

test('the fields of every setting that is a table are known', () => {
  const tables = SETTING_NAMES.filter((name) => fieldNames([name]).length > 0);
  expect(tables).toEqual(['PLATFORM_STATUSES', 'QUOTAS', 'TRANSFER_TIMES', 'LIMITS']);
  expect(fieldNames(['SERVICES', 'SHOP'])).toEqual(['privateKey', 'micropaymentId']);
  expect(fieldNames(['OFFERS_2', 'lamp', 'title'])).toEqual(['tr', 'en']);
  expect(fieldNames(['OFFERS', 'lamp', 'toString'])).toEqual([]);
});

test('a secret among the settings has to be removed from the file with the settings', () => {
  const exposed = findExposedSecrets({MERCHANT_KEY: 'hush'}, '.dev.vars');
  expect(placesOf(exposed, 'vezne.toml', '.dev.vars')).toBe('vezne.toml');
  expect(placesOf([...exposed, 'SESSION_SECRET: This secret is missing.'], 'vezne.toml', '.dev.vars')).toBe(
    'vezne.toml and .dev.vars',
  );
});

import {expect, test} from 'vitest';
import deployGuide from '../../../docs/deploy.md?raw';
import {type Config, readConfig} from '../../../worker/config/config.ts';
import {describeLimits, LIMIT_TABLE, toLimits} from '../../../worker/config/limits.ts';
import {ConfigError} from '../../../worker/config/mistakes.ts';
import {DEFAULT_TRANSFER_TIMES} from '../../../worker/config/transfer-times.ts';
import {Objects} from '../../../worker/objects.ts';
import {QUOTAS} from '../../../worker/platform/quota-limits.ts';
import wranglerToml from '../../../wrangler.toml?raw';

const gold = {kind: 'payment' as const, service: 'KTP', amount: '149.90', title: {tr: 'Lamba', en: 'Lamp'}};
const club = {
  kind: 'subscription',
  product: 77,
  price: '12.00',
  period: 'weekly',
  title: {tr: 'Kulüp', en: 'Club'},
  terms: {tr: 'Haftalık', en: 'Weekly'},
  operators: [{id: 1, name: 'Bir'}],
};

/** Valid bindings for a real platform. Secrets contain "hush", which must never appear in an error. */
const VALID = {
  PHS_URL: 'https://platform.example/phs',
  MICROPAYMENT_URL: 'https://platform.example/micropayment',
  PAYMENT_PAGE_URL: 'https://platform.example/pay',
  LANDING_URL: 'https://platform.example/landing',
  LANDING_AUTHORIZATION: 'hush-landing-authorization',
  MERCHANT_ID: '2042',
  MERCHANT_IP: '192.0.2.44',
  MERCHANT_KEY: 'hush-merchant-key',
  SERVICES: {KTP: {micropaymentId: 31}},
  OFFERS: {gold},
  ALLOWED_ORIGINS: 'https://shop.example https://*.market.example',
  SESSION_SECRET: 'hush-0123456789abcdef0123456789abcdef',
};

const LIMITS = toLimits({});

/** The names of the invalid bindings; empty if the configuration is valid. */
function invalidBindings(bindings: Record<string, unknown>): readonly string[] {
  try {
    readConfig({...VALID, ...bindings});
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.message).toBe(`Missing or wrong: ${error.bindings.join(', ')}`);
    expect(JSON.stringify(error, ['message', 'stack', 'bindings', 'cause', 'name'])).not.toMatch(
      /hush|platform\.example|192\.0\.2/,
    );
    return error.bindings;
  }
}

/** The error that `readConfig` throws if these bindings are missing. */
const missing = (bindings: string[]) =>
  new ConfigError(
    bindings,
    bindings.map((name) => `${name}: This field is missing.`),
  );

test('valid bindings become a configuration', () => {
  expect(readConfig({...VALID})).toEqual({
    phsUrl: 'https://platform.example/phs',
    phsParameters: 'form',
    hostedUrl: 'https://platform.example/pay',
    micropayment: {baseUrl: 'https://platform.example/micropayment', credentials: {headers: {}, query: {}, body: {}}},
    paymentPage: null,
    landing: {baseUrl: 'https://platform.example/landing', authorization: 'hush-landing-authorization'},
    hintKeys: [],
    merchantApiKeys: [],
    acceptsForeignRecords: false,
    extraParameters: new Set(),
    ibanCountries: new Set(['TR']),
    webhook: null,
    notificationKeys: null,
    notifications: new Set(),
    returnUrls: null,
    oneClick: 'off',
    merchant: {id: '2042', ip: '192.0.2.44', key: 'hush-merchant-key'},
    isSandbox: false,
    services: new Map([['KTP', {micropaymentId: '31'}]]),
    billedServices: new Map([['31', 'KTP']]),
    offers: new Map([['gold', {...gold, hours: 72}]]),
    unusableOffers: {names: new Set(), variables: [], pages: null, reasons: []},
    allowedOrigins: [{exact: 'https://shop.example'}, {scheme: 'https://', below: '.market.example'}],
    sessionSecrets: ['hush-0123456789abcdef0123456789abcdef'],
    egress: {kind: 'direct'},
    locationHint: 'eeur',
    platformName: 'https://platform.example/phs',
    statuses: {transaction: {}, refund: {}, payment_notice: {}, charge: {}, subscription: {}},
    paidStatuses: null,
    transferTimes: DEFAULT_TRANSFER_TIMES,
    bankApps: {},
    quotas: QUOTAS,
    phsCallsPerMinute: 300,
    quotaShare: 1,
    subscriptionSweepMs: 288_000,
    bankDelayMs: 300_000,
    limits: LIMITS,
    turnstile: null,
  } satisfies Config);
});

test.for<[binding: string, values: unknown[]]>([
  [
    'PHS_URL',
    [
      undefined,
      '',
      'http://platform.example/phs',
      'platform.example/phs',
      'ftp://platform.example/phs',
      'https://platform.example',
      'https://platform.example/phs/v2',
      7,
    ],
  ],
  ['MICROPAYMENT_URL', ['', 'platform', 'file:///etc', 'http://platform.example/m']],
  ['PAYMENT_PAGE_URL', ['', 'platform', 'file:///etc', 'http://platform.example/p']],
  ['LANDING_URL', ['', 'platform', 'file:///etc', 'http://platform.example/l']],
  ['MERCHANT_ID', [undefined, '', 'demo', '12a', '-1', '1.5', null]],
  ['MERCHANT_IP', [undefined, '', 'localhost', '192.0.2', '192.0.2.256', 'https://192.0.2.44']],
  ['MERCHANT_KEY', [undefined, '', null]],
  [
    'SERVICES',
    [undefined, '', '{', '[]', 'KTP', {KTP: 'x'}, {KTP: {privatekey: 'hush-service-key'}}, {KTP: {privateKey: ''}}],
  ],
  [
    'ALLOWED_ORIGINS',
    [
      undefined,
      '*',
      'shop.example',
      'http://shop.example',
      'https://shop.example/',
      'https://shop.example https://hush.example/x',
      null,
      'https://shop.example http://localhost:5173',
      'https://*.localhost',
      'https://127.0.0.1',
    ],
  ],
  ['SESSION_SECRET', [undefined, '', 'hush-short', null, 'a'.repeat(32), 'hush-us-'.repeat(8)]],
  ['SESSION_SECRET_PREVIOUS', ['', 'hush-short']],
  ['EGRESS', ['', 'relais']],
  ['RELAY_URL', ['', 'relay', 'http://relay.shop.example', 'ftp://relay.shop.example']],
  ['RELAY_SECRET', ['', 'hush-short', null, 'a'.repeat(64)]],
  ['WEBHOOK_SECRET', ['a'.repeat(32), `whsec_${btoa('\0'.repeat(32))}`]],
  ['MERCHANT_API_KEY', ['', 'hush-short', '1212121212121212', 'a'.repeat(64), 'hush-key'.repeat(63)]],
  ['RELAY_SECRET_PREVIOUS', ['', 'hush-short']],
  ['PLATFORM', ['', {}, null, 'https://platform.example']],
  ['ONE_CLICK', ['', 'yes', true]],
  ['PAID_STATUSES', ['', 'paid', '3;8', 3]],
  ['FOREIGN_RECORDS', ['', 'ignore', true]],
  ['EXTRA_PARAMETERS', ['amount', 'code[name]', '1st', 'a[b', 7]],
  ['IBAN_COUNTRIES', ['', 'tr', 'TUR', 'TR,DE', 7]],
  ['MERCHANT_PRIVATE_KEY', ['', null]],
  ['SERVICE_PRIVATE_KEYS', ['{', '[]', {KTP: ''}, {KTP: 7}, {OTHER: 'hush-service-key'}]],
  ['NOTIFICATIONS', ['all', 'payment, refund', true]],
  [
    'WEBHOOK_URL',
    [
      '',
      'merchant.example',
      'http://merchant.example/hook',
      'ftp://merchant.example',
      'https://u:hush@merchant.example/',
      'https://merchant.example/#top',
    ],
  ],
  [
    'WEBHOOK_SECRET',
    [
      '',
      'hush-short',
      'whsec_',
      'whsec_c2hvcnQ=',
      'whsec_not base 64',
      `whsec_${'QUFB'.repeat(22)}`,
      'hush, with a letter that is no ASCII: ş',
    ],
  ],
  ['WEBHOOK_SECRET_PREVIOUS', ['', 'hush-short']],
  ['LOCATION_HINT', ['', 'eu', 'moon']],
  ['MICROPAYMENT_QUERY', ['', 'hush', {key: 7}]],
  ['PAYMENT_PAGE_TYPES', ['', 'both']],
  ['PHS_PARAMETERS', ['', 'json']],
  ['OBJECT_NAMES', ['', 'billing', 'http://platform.example/billing']],
  [
    'PLATFORM_STATUSES',
    [
      '{',
      '[]',
      {transaction: {paid: 'successful'}},
      {transactions: {'3': 'successful'}},
      {transaction: {'3': 3}},
      {subscription: {on: 'aktif'}},
    ],
  ],
  [
    'TRANSFER_TIMES',
    [
      '{',
      '[]',
      {},
      {rules: []},
      {rules: [{from: 'here', text: {tr: 'a', en: 'b'}}]},
      {rules: [{from: 'same_bank', start: '9:30', text: {tr: 'a', en: 'b'}}]},
    ],
  ],
  ['BANK_APPS', ['{', '[]', {garanti: 'http://bank.example/app'}, {garanti: 'bank://open'}, {garanti: 1}]],
  [
    'QUOTAS',
    [
      '{',
      '[]',
      {refund: {day: 1}},
      {refund_charge: {day: -1}},
      {refund_charge: {second: 0}},
      {refund_charge: {hour: 1}},
      {refund_charge: 20},
    ],
  ],
  ['BANK_DELAY_MINUTES', ['', '-1', '1441', 'soon', null]],
  ['QUOTA_SHARE', ['', '0', '-0.5', '1.1', 'half', null]],
  ['SUBSCRIPTION_SWEEP_SHARE', ['', '-0.5', '1.1', 'half', null]],
  [
    'LIMITS',
    [
      '{',
      '[]',
      {address_sessions_per_minute: 0},
      {address_sessions_per_minute: -1},
      {address_orders_per_minute: 5},
      {service_orders_per_minute: 1.5},
      {service_orders_per_minute: '60'},
      {confirm_rate_percent: 101},
      {pin_attempts: 0},
      {pin_answer_ms: null},
      {pin_answer_ms: 10_001},
      {address_session_per_minute: 60},
    ],
  ],
])(
  'if %s has an invalid value or lacks a required one, the error names the binding and no value',
  ([binding, values]) => {
    for (const value of values) expect(invalidBindings({[binding]: value}), JSON.stringify(value)).toEqual([binding]);
  },
);

const {PHS_URL: _url, MERCHANT_KEY: _key, MERCHANT_IP: _ip, PAYMENT_PAGE_URL: _page, ...BILLING} = VALID;
const {LANDING_URL, MICROPAYMENT_URL: _billing, ...NO_INTERFACE} = BILLING;

test('a configuration with only mobile billing is valid; one without an interface or with only a part of /phs is not', () => {
  for (const bindings of [
    BILLING,
    {...NO_INTERFACE, LANDING_URL},
    {...NO_INTERFACE, MICROPAYMENT_URL: BILLING.MICROPAYMENT_URL},
  ])
    expect(readConfig({...bindings})).toMatchObject({phsUrl: null, merchant: {id: '2042', ip: '', key: ''}});
  expect(() => readConfig({...NO_INTERFACE})).toThrow(missing(['PHS_URL', 'MERCHANT_IP', 'MERCHANT_KEY']));
  expect(() => readConfig({...BILLING, MERCHANT_KEY: 'hush'})).toThrow(missing(['PHS_URL', 'MERCHANT_IP']));
});

test('with only a landing interface, the authorization shows whether the platform is the sandbox', () => {
  const sandbox = {...NO_INTERFACE, LANDING_URL: 'http://localhost:8790/landing'};
  expect(readConfig({...sandbox, LANDING_AUTHORIZATION: 'sandbox-authorization'}).isSandbox).toBe(true);
  expect(readConfig({...sandbox, LANDING_AUTHORIZATION: 'hush'}).isSandbox).toBe(false);
});

test('OBJECT_NAMES keeps the names of stored objects when orders are added to mobile billing', () => {
  const {PHS_URL, MERCHANT_KEY, MERCHANT_IP, ...billing} = VALID;
  const MICROPAYMENT_URL = 'https://platform.example/billing';
  const alone = readConfig({...billing, MICROPAYMENT_URL});
  const outboxOf = (config: typeof alone) => new Objects(config).outbox().id.toString();
  const added = {...billing, MICROPAYMENT_URL, PHS_URL, MERCHANT_KEY, MERCHANT_IP};
  expect(outboxOf(readConfig(added))).not.toBe(outboxOf(alone));
  expect(outboxOf(readConfig({...added, OBJECT_NAMES: `${MICROPAYMENT_URL}/`}))).toBe(outboxOf(alone));
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
  const alone = {...BILLING, ...page, PAYMENT_PAGE_URL: VALID.PAYMENT_PAGE_URL};
  const sold = (bindings: object) => [...readConfig({...alone, ...bindings}).offers.keys()];
  expect(sold({})).toEqual(['gold']);
  expect(sold({MICROPAYMENT_URL: undefined})).toEqual([]);
  expect(sold({SERVICES: {KTP: {}, MORE: {micropaymentId: 1}}})).toEqual([]);
});

test('a secret that the platform issues may be short', () => {
  const secrets = {
    MERCHANT_KEY: 'k',
    MERCHANT_PRIVATE_KEY: 'm',
    SERVICE_PRIVATE_KEYS: {KTP: 's'},
    LANDING_AUTHORIZATION: 'l',
    PAYMENT_PAGE_SECRET: 'p',
  };
  expect(readConfig({...VALID, ...secrets})).toMatchObject({
    merchant: {key: 'k'},
    notificationKeys: {merchant: 'm', services: new Map([['KTP', 's']])},
    landing: {authorization: 'l'},
    paymentPage: {secret: 'p'},
  });
});

test('one error names all invalid or missing bindings, but not a table of offers that cannot be read', () => {
  expect(invalidBindings({PHS_URL: 'hush', MERCHANT_KEY: undefined, MERCHANT_IP: 'hush', OFFERS: '{'})).toEqual([
    'PHS_URL',
    'MERCHANT_IP',
    'MERCHANT_KEY',
  ]);
  expect(() => readConfig({})).toThrow(
    missing([
      'MERCHANT_ID',
      'SERVICES',
      'ALLOWED_ORIGINS',
      'SESSION_SECRET',
      'PHS_URL',
      'MERCHANT_IP',
      'MERCHANT_KEY',
      'OFFERS',
    ]),
  );
});

test('a table may be given as JSON text', () => {
  const texts = Object.fromEntries(
    (['SERVICES', 'OFFERS'] as const).map((name) => [name, JSON.stringify(VALID[name])]),
  );
  const extra = {
    PLATFORM_STATUSES: {transaction: {'3': 'refunded', '-4': 'strange'}},
    LIMITS: {address_sessions_per_minute: null, service_orders_per_minute: 5},
  };
  const asText = readConfig({
    ...VALID,
    ...texts,
    PLATFORM_STATUSES: JSON.stringify(extra.PLATFORM_STATUSES),
    LIMITS: JSON.stringify(extra.LIMITS),
  });
  expect(asText).toEqual(readConfig({...VALID, ...extra}));
  expect(asText.statuses.transaction).toEqual({'3': 'refunded', '-4': 'strange'});
  expect(asText.limits).toEqual({
    ...LIMITS,
    addressSessionsPerMinute: null,
    addressUnpaidOrdersPerDay: null,
    addressRequestsPerMinute: null,
    addressReadsPerMinute: null,
    addressRefundLinksPerMinute: null,
    serviceOrdersPerMinute: 5,
  });
});

test('a limit that is not set keeps its default', () => {
  expect(readConfig({...VALID, LIMITS: '{"address_pins_per_hour": null}'}).limits).toEqual({
    ...LIMITS,
    addressPinsPerHour: null,
  });
});

test.for<[limits: object, others: object]>([
  [
    {address_sessions_per_minute: null},
    {addressUnpaidOrdersPerDay: null, addressRequestsPerMinute: null, addressReadsPerMinute: null},
  ],
  [{address_sessions_per_minute: null, address_unpaid_orders_per_day: 5}, {addressUnpaidOrdersPerDay: 5}],
  [{address_unpaid_orders_per_day: null}, {addressSessionsPerMinute: 300}],
  [{address_notices_per_10_minutes: null}, {orderNoticesPerDay: null, orderNoticeAttemptsPer10Minutes: null}],
  [{number_pins_per_day: null}, {numberPinsPer10Minutes: null, numberPinPauseSeconds: 60}],
  [{number_attempts_per_day: null}, {pinAttempts: null}],
])('limits of the same thing end with a limit that LIMITS sets to null: %o', ([limits, others]) => {
  expect(readConfig({...VALID, LIMITS: limits}).limits).toMatchObject(others);
});

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
    'expires_at: Expected a time with seconds and UTC offset, such as 2026-11-21T15:42:00+03:00.',
  ],
  [{...gold, theme: {accent: 'red'}}, 'theme.accent: Expected a color such as "#0b5cad".'],
  [{...gold, uses: 'one'}, 'uses: This field is not accepted.'],
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

test.for<[bindings: Record<string, unknown>, reasons: string[]]>([
  [
    {ALLOWED_ORIGINS: 'https://shop.example shop.example https://a.example/'},
    [
      'ALLOWED_ORIGINS: Expected origins such as https://shop.example, without a slash at the end and separated by ' +
        'spaces, not "shop.example", "https://a.example/".',
    ],
  ],
  [{ALLOWED_ORIGINS: undefined}, ['ALLOWED_ORIGINS: This field is missing.']],
  [{PHS_URL: 'http://platform.example/phs'}, ['PHS_URL: Expected a URL that begins with https://.']],
  [{PHS_URL: 'https://platform.example'}, ['PHS_URL: Expected a URL that ends in /phs.']],
  [{MERCHANT_ID: '12a'}, ['MERCHANT_ID: Expected digits.']],
  [{MERCHANT_IP: 'localhost'}, ['MERCHANT_IP: Expected an IP address.']],
  [{NOTIFICATIONS: 'payment refund'}, ['NOTIFICATIONS: Expected any of payment, billing, subscription, not "refund".']],
  [
    {LIMITS: {address_pins_per_hour: 'five', order_sockets: 1}},
    ['LIMITS.address_pins_per_hour: Expected a number.', 'LIMITS.order_sockets: This field is not accepted.'],
  ],
  ...[
    [
      'sha3(secret)',
      'Expected a recipe such as md5(merchantId price secret) or hmac-sha256(merchantId "|" price) base64.',
    ],
    [
      'sha1(price "|secret)',
      'Expected a recipe such as md5(merchantId price secret) or hmac-sha256(merchantId "|" price) base64.',
    ],
    [
      'md5(hush, secret)',
      'Expected any of merchantId, serviceId, referenceCode, item, price, successUrl, failureUrl, hasTrialPeriod, ' +
        'trialPeriodDay, secret, or text in quotation marks, separated by spaces.',
    ],
    ['sha1(merchantId "secret")', 'The recipe lacks `secret`.'],
  ].map(([recipe, reason]): [Record<string, unknown>, string[]] => [
    {PAYMENT_PAGE_KEY: recipe},
    [`PAYMENT_PAGE_KEY: ${reason}`],
  ]),
  [{SESSION_SECRET: 'hush'}, ['SESSION_SECRET: Expected at least 32 characters.']],
  [{SESSION_SECRET: 'a'.repeat(32)}, ['SESSION_SECRET: Expected at least 8 different characters.']],
  [{SERVICES: {KTP: {'hush-service-key': 'x'}}}, ['SERVICES: This field is not accepted.']],
  [{EGRESS: 'relay'}, ['RELAY_URL: EGRESS = "relay" needs this.', 'RELAY_SECRET: EGRESS = "relay" needs this.']],
  [
    {MERCHANT_ID: 'x', OFFERS: {gold: {...gold, amount: '1,0'}}},
    ['MERCHANT_ID: Expected digits.', `OFFERS.gold.amount: ${AMOUNT_EXPECTED}`],
  ],
])('each wrong binding or field gets one sentence, which begins with its name: %j', ([bindings, reasons]) => {
  let error: unknown;
  try {
    readConfig({...VALID, ...bindings});
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as ConfigError).reasons).toEqual(reasons);
});

test('OFFERS is optional if OFFERS_2 exists', () => {
  const {OFFERS: _offers, ...rest} = VALID;
  expect(readConfig({...rest, OFFERS_2: {gold}}).offers.size).toBe(1);
});

test('a service’s private key is in SERVICES or SERVICE_PRIVATE_KEYS, not both, and needs the merchant’s key', () => {
  const MERCHANT_PRIVATE_KEY = 'hush-merchant-private';
  const SERVICES = {KTP: {privateKey: 'hush-private-of-ktp'}, TWO: {}, THREE: {}};
  const SERVICE_PRIVATE_KEYS = '{"TWO": "hush-private-of-two"}';
  expect(readConfig({...VALID, MERCHANT_PRIVATE_KEY, SERVICES, SERVICE_PRIVATE_KEYS}).notificationKeys).toEqual({
    merchant: MERCHANT_PRIVATE_KEY,
    services: new Map([
      ['TWO', 'hush-private-of-two'],
      ['KTP', 'hush-private-of-ktp'],
    ]),
  });
  expect(readConfig({...VALID, MERCHANT_PRIVATE_KEY}).notificationKeys).toBe(null);
  expect(readConfig({...VALID, SERVICES}).notificationKeys).toBe(null);
  expect(invalidBindings({SERVICES, SERVICE_PRIVATE_KEYS: {KTP: 'hush-another-key'}})).toEqual([
    'SERVICE_PRIVATE_KEYS',
  ]);
});

test('a webhook needs a secret, as base64 or plain text, and may have a previous secret', () => {
  const encoder = new TextEncoder();
  const text = 'hush, thirty-two letters at least';
  const WEBHOOK_URL = 'https://merchant.example/hook';
  expect(
    readConfig({
      ...VALID,
      WEBHOOK_URL,
      WEBHOOK_SECRET: `whsec_${btoa('twenty-four bytes of key')}`,
      WEBHOOK_SECRET_PREVIOUS: text,
    }).webhook,
  ).toEqual({url: WEBHOOK_URL, keys: [encoder.encode('twenty-four bytes of key'), encoder.encode(text)]});
  expect(readConfig({...VALID, WEBHOOK_URL: 'http://localhost:6600/hook', WEBHOOK_SECRET: text}).webhook).toEqual({
    url: 'http://localhost:6600/hook',
    keys: [encoder.encode(text)],
  });
  expect(readConfig({...VALID, WEBHOOK_SECRET: text}).webhook).toBe(null);
  expect(invalidBindings({WEBHOOK_URL})).toEqual(['WEBHOOK_SECRET']);
});

test('EGRESS = binding needs the binding PLATFORM', () => {
  const platform = {fetch: () => Promise.resolve(new Response())};
  expect(readConfig({...VALID, EGRESS: 'binding', PLATFORM: platform}).egress).toEqual({kind: 'binding', platform});
  expect(readConfig({...VALID, PLATFORM: platform}).egress).toEqual({kind: 'direct'});
  expect(invalidBindings({EGRESS: 'binding'})).toEqual(['PLATFORM']);
});

test('EGRESS = relay needs RELAY_URL and RELAY_SECRET', () => {
  const relay = {
    EGRESS: 'relay',
    RELAY_URL: 'https://relay.shop.example/',
    RELAY_SECRET: 'hush-0123456789abcdef0123456789abcdef',
  };
  expect(readConfig({...VALID, ...relay}).egress).toEqual({
    kind: 'relay',
    url: 'https://relay.shop.example',
    secrets: [relay.RELAY_SECRET],
    bases: new Map([
      ['phs', 'https://platform.example/phs'],
      ['micropayment', 'https://platform.example/micropayment'],
      ['payment_page', 'https://platform.example/pay'],
      ['landing', 'https://platform.example/landing'],
    ]),
  });
  const previous = 'hush-fedcba9876543210fedcba9876543210';
  expect(readConfig({...VALID, ...relay, RELAY_SECRET_PREVIOUS: previous}).egress).toMatchObject({
    secrets: [relay.RELAY_SECRET, previous],
  });
  expect(readConfig({...VALID, ...relay, EGRESS: undefined}).egress).toEqual({kind: 'direct'});
  expect(invalidBindings({EGRESS: 'relay'})).toEqual(['RELAY_URL', 'RELAY_SECRET']);
  expect(invalidBindings({...relay, RELAY_URL: undefined})).toEqual(['RELAY_URL']);
});

test('a slash at the end of a URL is removed', () => {
  expect(readConfig({...VALID, PHS_URL: 'https://platform.example/phs/'}).phsUrl).toBe('https://platform.example/phs');
});

test('the current session secret comes first, the previous one second', () => {
  const previous = 'hush-fedcba9876543210fedcba9876543210';
  expect(readConfig({...VALID, SESSION_SECRET_PREVIOUS: previous}).sessionSecrets).toEqual([
    VALID.SESSION_SECRET,
    previous,
  ]);
});

const SANDBOX = {
  PHS_URL: 'http://localhost:8790/phs',
  MICROPAYMENT_URL: 'http://localhost:8790/micropayment',
  PAYMENT_PAGE_URL: 'http://localhost:8790/pay',
  LANDING_URL: 'http://localhost:8790/landing',
};
const ADDRESSES = ['PHS_URL', 'MICROPAYMENT_URL', 'PAYMENT_PAGE_URL', 'LANDING_URL'] as const;
const SANDBOX_SECRETS: readonly [binding: string, value: unknown][] = [
  ['MERCHANT_KEY', 'sandbox-merchant-key'],
  ['MERCHANT_PRIVATE_KEY', 'sandbox-merchant-private-key'],
  ['SERVICE_PRIVATE_KEYS', '{"KTP":"sandbox-service-private-key"}'],
  ['LANDING_AUTHORIZATION', 'sandbox-landing-authorization'],
  ['PAYMENT_PAGE_SECRET', 'sandbox-payment-page-secret'],
  ['SESSION_SECRET', 'sandbox-session-secret-that-is-long-enough'],
  ['SESSION_SECRET_PREVIOUS', 'sandbox-session-secret-that-is-long-enough'],
  ['MERCHANT_API_KEY', 'sandbox-merchant-api-key'],
  ['WEBHOOK_SECRET', 'sandbox-webhook-secret-that-is-long-enough'],
  ['RELAY_SECRET', 'sandbox-relay-secret-that-is-long-enough'],
  ['RELAY_SECRET_PREVIOUS', 'sandbox-relay-secret-that-is-long-enough'],
  ['SERVICES', {KTP: {privateKey: 'sandbox-service-private-key'}}],
  ['SERVICES', '{"KTP": {"privateKey": "sandbox-service-private-key"}}'],
];

test.for(SANDBOX_SECRETS)(
  'the sandbox’s %s is accepted only if the whole platform is on this machine',
  ([binding, value]) => {
    expect(invalidBindings({...SANDBOX, [binding]: value})).toEqual([]);
    for (const address of ADDRESSES)
      expect(invalidBindings({...SANDBOX, [address]: VALID[address], [binding]: value}), address).toEqual([binding]);
  },
);

test('a platform with a loopback address counts as local behind a local relay, but not behind a remote one', () => {
  const platform = {fetch: () => Promise.resolve(new Response())};
  const relay = {EGRESS: 'relay', RELAY_SECRET: 'hush-0123456789abcdef0123456789abcdef'};
  const MERCHANT_KEY = 'sandbox-merchant-key';
  const bindings = {...SANDBOX, MERCHANT_KEY, ALLOWED_ORIGINS: 'http://localhost:5173'};
  const refused = ['MERCHANT_KEY', 'ALLOWED_ORIGINS'];
  expect(invalidBindings({...bindings, EGRESS: 'binding', PLATFORM: platform})).toEqual(refused);
  expect(invalidBindings({...bindings, ...relay, RELAY_URL: 'https://relay.example'})).toEqual(refused);
  expect(readConfig({...VALID, ...bindings, ...relay, RELAY_URL: 'http://localhost:8791'}).isSandbox).toBe(true);
});

test('pages on this machine are allowed only if the whole platform is on this machine', () => {
  const ALLOWED_ORIGINS = 'http://localhost:5173 https://*.localhost';
  expect(invalidBindings({...SANDBOX, ALLOWED_ORIGINS})).toEqual([]);
  for (const address of ADDRESSES)
    expect(invalidBindings({...SANDBOX, [address]: VALID[address], ALLOWED_ORIGINS}), address).toEqual([
      'ALLOWED_ORIGINS',
    ]);
});

const TEST_SITEKEY = '1x00000000000000000000AA';
const TEST_SECRET = '1x0000000000000000000000000000000AA';
const SITEKEY = '0x4AAAAAAAB';
const SECRET = 'hush-0x4AAAAAAAC';

test('the human check needs both keys', () => {
  const {turnstile} = readConfig({...VALID, TURNSTILE_SECRET: SECRET, TURNSTILE_SITEKEY: SITEKEY});
  expect(turnstile).toEqual({secret: SECRET, sitekey: SITEKEY, forTests: false});
  expect(invalidBindings({TURNSTILE_SECRET: SECRET})).toEqual(['TURNSTILE_SITEKEY']);
  expect(invalidBindings({TURNSTILE_SITEKEY: SITEKEY})).toEqual(['TURNSTILE_SECRET']);
});

test('Turnstile’s test keys are allowed only if all pages and the platform are on this machine', () => {
  const onThisMachine = {
    ...SANDBOX,
    ALLOWED_ORIGINS: 'http://localhost:5173',
    TURNSTILE_SECRET: TEST_SECRET,
    TURNSTILE_SITEKEY: TEST_SITEKEY,
  };
  expect(invalidBindings(onThisMachine)).toEqual([]);
  expect(invalidBindings({...onThisMachine, ALLOWED_ORIGINS: 'http://localhost:5173 https://shop.example'})).toEqual([
    'TURNSTILE_SECRET',
    'TURNSTILE_SITEKEY',
  ]);
  expect(invalidBindings({TURNSTILE_SECRET: TEST_SECRET, TURNSTILE_SITEKEY: SITEKEY})).toEqual(['TURNSTILE_SECRET']);
  expect(invalidBindings({TURNSTILE_SECRET: SECRET, TURNSTILE_SITEKEY: '3x00000000000000000000FF'})).toEqual([
    'TURNSTILE_SITEKEY',
  ]);
});

test('a Turnstile secret of the sandbox is refused with a real platform', () => {
  expect(invalidBindings({TURNSTILE_SECRET: 'sandbox-turnstile-secret', TURNSTILE_SITEKEY: SITEKEY})).toEqual([
    'TURNSTILE_SECRET',
  ]);
});

test('a platform on this machine counts as the sandbox only with the sandbox’s merchant key', () => {
  expect(readConfig({...VALID, ...SANDBOX, MERCHANT_KEY: 'sandbox-merchant-key'}).isSandbox).toBe(true);
  expect(readConfig({...VALID, ...SANDBOX}).isSandbox).toBe(false);
});

test('a secret that contains the word sandbox but does not begin with it is accepted', () => {
  expect(invalidBindings({MERCHANT_KEY: 'hush-of-the-sandbox-merchant'})).toEqual([]);
});

test('platform limits can be overridden one by one, and are multiplied by QUOTA_SHARE', () => {
  const {quotas, phsCallsPerMinute} = readConfig({
    ...VALID,
    QUOTAS:
      '{"phs_calls": {"minute": 100}, "refund_charge": {"day": 50}, "search_messages": null, "get_charge": {"second": null}}',
    QUOTA_SHARE: '0.57',
  });
  expect(phsCallsPerMinute).toBe(57);
  expect(quotas).toMatchObject({
    refund_charge: {day: 28, second: 2.85},
    search_messages: {day: null, second: null},
    get_charge: {day: 570, second: null},
    reset_test_number: {day: 11},
    search_charges: {day: 570, second: 0.57},
  });
});

test.for<[interval: number | null, bindings: Record<string, unknown>]>([
  [4.8 * 60_000, {}],
  [9.6 * 60_000, {QUOTA_SHARE: '0.5'}],
  [24 * 60_000, {QUOTAS: '{"search_subscriptions": {"day": 100}}', SUBSCRIPTION_SWEEP_SHARE: 0.6}],
  [4.8 * 60_000, {QUOTAS: '{"search_subscriptions": null}'}],
  [null, {SUBSCRIPTION_SWEEP_SHARE: '0'}],
  [null, {QUOTAS: '{"search_subscriptions": {"day": 3}}'}],
  [null, {MICROPAYMENT_URL: undefined}],
  [null, {SERVICES: {KTP: {}}}],
])('the interval between searches for changed subscriptions is %j ms with %j', ([interval, bindings]) => {
  expect(readConfig({...VALID, ...bindings}).subscriptionSweepMs).toBe(interval);
});

test('if services share an id in mobile billing, the billed service with this id has the first service’s code', () => {
  const SERVICES = {KTP: {micropaymentId: 31}, MORE: {micropaymentId: 31}, OTHER: {micropaymentId: 7}, NONE: {}};
  expect(Object.fromEntries(readConfig({...VALID, SERVICES}).billedServices)).toEqual({31: 'KTP', 7: 'OTHER'});
});

test('the deploy guide explains every binding that `readConfig` reads', () => {
  const names = new Set<string>();
  const recorder = new Proxy(
    {},
    {
      get(_target, name) {
        if (typeof name === 'string') names.add(name);
        return undefined;
      },
    },
  );
  expect(() => readConfig(recorder)).toThrow(ConfigError);
  expect(names.size).toBeGreaterThan(25);
  // The guide explains all `_PREVIOUS` secrets together.
  expect([...names].filter((name) => !deployGuide.includes(`\`${name.replace('_PREVIOUS', '')}\``))).toEqual([]);
});

test('docs/deploy.md has the table of limits that the doctor prints', () => {
  const rows = describeLimits(toLimits({})).map(
    ({name, value, counts, per, window, above}) =>
      `| \`${name}\` | ${value} | ${counts} | ${per} | ${window} | ${above} |`,
  );
  expect(rows).toHaveLength(37);
  expect(deployGuide.split('\n').filter((line) => /^\| `\w+` \| \d+ \| .* \| .* \| .* \| .* \|$/.test(line))).toEqual(
    rows,
  );
});

test.for([
  ['ADDRESS_RATE', LIMIT_TABLE.address_requests_per_minute],
  ['READ_RATE', LIMIT_TABLE.address_reads_per_minute],
] as const)('the limit of the rate-limit binding %s is in the table of limits', ([name, {value}]) => {
  const [, limit] = new RegExp(`"${name}"[^]*?limit = (\\d+)`).exec(wranglerToml) ?? [];
  expect(value).toBe(Number(limit));
});

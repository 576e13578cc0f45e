import {expect, test} from 'vitest';
import deployGuide from '../../../docs/deploy.md?raw';
import {type Config, readConfig} from '../../../worker/config/config.ts';
import {describeLimits, toLimits} from '../../../worker/config/limits.ts';
import {ConfigError} from '../../../worker/config/mistakes.ts';
import {DEFAULT_TRANSFER_TIMES} from '../../../worker/config/transfer-times.ts';
import {Objects} from '../../../worker/objects.ts';
import {QUOTAS} from '../../../worker/platform/quota-limits.ts';
import {ADDRESS_RATE_PER_MINUTE} from '../../../worker/routes/rate-limit.ts';
import wranglerToml from '../../../wrangler.toml?raw';
import {gold, invalidBindings, missing, VALID} from './support/bindings.ts';

const LIMITS = toLimits({});

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
    orderPrefix: '',
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
    desk: null,
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

const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  PHS_URL: [undefined, '', 'http://platform.example/phs', 'platform.example/phs', 'https://platform.example', 7],
  MICROPAYMENT_URL: ['', 'file:///etc', 'http://platform.example/m'],
  PAYMENT_PAGE_URL: ['platform', 'http://platform.example/p'],
  LANDING_URL: ['platform', 'http://platform.example/l'],
  MERCHANT_ID: [undefined, '', '12a', '-1', '1.5', null],
  MERCHANT_IP: [undefined, '', 'localhost', '192.0.2.256', 'https://192.0.2.44'],
  MERCHANT_KEY: [undefined, '', null],
  SERVICES: [undefined, '{', '[]', 'KTP', {KTP: 'x'}, {KTP: {privatekey: 'hush-service-key'}}, {KTP: {privateKey: ''}}],
  ALLOWED_ORIGINS: [
    undefined,
    null,
    'shop.example',
    'https://shop.example https://hush.example/x',
    'https://shop.example http://localhost:5173',
    'https://*.localhost',
    'https://shop.example,',
    'https://*.shop.example,https://shop.example',
  ],
  SESSION_SECRET: [undefined, '', 'hush-short', null, 'a'.repeat(32), 'hush-us-'.repeat(8)],
  SESSION_SECRET_PREVIOUS: ['', 'hush-short'],
  EGRESS: ['', 'relais'],
  RELAY_URL: ['relay', 'http://relay.shop.example'],
  RELAY_SECRET: ['hush-short', null],
  RELAY_SECRET_PREVIOUS: ['hush-short'],
  MERCHANT_API_KEY: ['hush-short', '1212121212121212', 'hush-key'.repeat(63)],
  RETURN_URLS: [
    'shop',
    'https://shop.example/a, https://shop.example/b',
    'https://shop.example/a;https://hush.example',
  ],
  PLATFORM: ['', {}, null],
  ONE_CLICK: ['yes', true],
  PAID_STATUSES: ['', 'paid', '3;8', 3],
  FOREIGN_RECORDS: ['ignore'],
  ORDER_PREFIX: ['-', 'stg', 'a b-', 'ş-', 'sixteencharacter-', 7],
  EXTRA_PARAMETERS: ['amount', 'code[name]', '1st', 'a[b', 7],
  IBAN_COUNTRIES: ['', 'tr', 'TUR', 'TR,DE', 7],
  MERCHANT_PRIVATE_KEY: ['', null],
  SERVICE_PRIVATE_KEYS: ['{', {KTP: ''}, {KTP: 7}, {OTHER: 'hush-service-key'}],
  NOTIFICATIONS: ['all', 'payment, refund', true],
  WEBHOOK_URL: [
    'merchant.example',
    'http://merchant.example/hook',
    'https://u:hush@merchant.example/',
    'https://merchant.example/#top',
  ],
  WEBHOOK_SECRET: [
    '',
    'hush-short',
    'a'.repeat(32),
    'whsec_c2hvcnQ=',
    'whsec_not base 64',
    `whsec_${btoa('\0'.repeat(32))}`,
    `whsec_${'QUFB'.repeat(22)}`,
    'hush, with a letter that is no ASCII: ş',
  ],
  WEBHOOK_SECRET_PREVIOUS: ['hush-short'],
  LOCATION_HINT: ['eu'],
  MICROPAYMENT_QUERY: ['hush', {key: 7}],
  PAYMENT_PAGE_TYPES: ['both'],
  PHS_PARAMETERS: ['json'],
  OBJECT_NAMES: ['billing'],
  PLATFORM_STATUSES: [
    '{',
    {transaction: {paid: 'successful'}},
    {transactions: {'3': 'successful'}},
    {transaction: {'3': 3}},
    {subscription: {on: 'aktif'}},
  ],
  TRANSFER_TIMES: [
    '{',
    {},
    {rules: []},
    {rules: [{from: 'here', text: {tr: 'a', en: 'b'}}]},
    {rules: [{from: 'same_bank', start: '9:30', text: {tr: 'a', en: 'b'}}]},
  ],
  BANK_APPS: ['{', {garanti: 'http://bank.example/app'}, {garanti: 'bank://open'}, {garanti: 1}],
  QUOTAS: [
    '{',
    {refund: {day: 1}},
    {refund_charge: {day: -1}},
    {refund_charge: {second: 0}},
    {refund_charge: {hour: 1}},
    {refund_charge: 20},
  ],
  BANK_DELAY_MINUTES: ['', '-1', '1441', 'soon', null],
  QUOTA_SHARE: ['', '0', '1.1', 'half'],
  SUBSCRIPTION_SWEEP_SHARE: ['-0.5', '1.1'],
  LIMITS: [
    '{',
    {address_sessions_per_minute: 0},
    {service_orders_per_minute: 1.5},
    {service_orders_per_minute: '60'},
    {confirm_rate_percent: 101},
    {pin_answer_ms: null},
    {pin_answer_ms: 10_001},
    {address_session_per_minute: 60},
  ],
};

test('the error of an invalid value, or of a missing required one, names the binding and no value', () => {
  for (const [binding, values] of Object.entries(WRONG))
    for (const value of values)
      expect(invalidBindings({[binding]: value}), `${binding} ${JSON.stringify(value)}`).toEqual([binding]);
});

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
    serviceOrdersPerMinute: 5,
  });
});

test('a limit that is not set keeps its default', () => {
  expect(readConfig({...VALID, LIMITS: '{"address_pins_per_hour": null}'}).limits).toEqual({
    ...LIMITS,
    addressPinsPerHour: null,
  });
});

const LIMITS_OF_THE_SAME: readonly (readonly [limits: object, others: object])[] = [
  [{address_sessions_per_minute: null}, {addressUnpaidOrdersPerDay: null}],
  [{address_sessions_per_minute: null, address_unpaid_orders_per_day: 5}, {addressUnpaidOrdersPerDay: 5}],
  [{address_unpaid_orders_per_day: null}, {addressSessionsPerMinute: 300}],
];

test('without a limit of sessions, an address has no limit of unpaid orders, unless LIMITS sets one', () => {
  for (const [limits, others] of LIMITS_OF_THE_SAME)
    expect(readConfig({...VALID, LIMITS: limits}).limits).toMatchObject(others);
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
  expect(rows).toHaveLength(12);
  expect(deployGuide.split('\n').filter((line) => /^\| `\w+` \| \d+ \| .* \| .* \| .* \| .* \|$/.test(line))).toEqual(
    rows,
  );
});

test.for([
  ['ADDRESS_RATE', '300'],
  ['READ_RATE', '3,000'],
] as const)('docs/deploy.md says the limit of the rate-limit binding %s', ([name, shown]) => {
  const [, limit] = new RegExp(`"${name}"[^]*?limit = (\\d+)`).exec(wranglerToml) ?? [];
  expect(Number(limit)).toBe(Number(shown.replace(',', '')));
  expect(deployGuide).toContain(`${shown} (\`${name}\`)`);
  if (name === 'ADDRESS_RATE') expect(Number(limit)).toBe(ADDRESS_RATE_PER_MINUTE);
});

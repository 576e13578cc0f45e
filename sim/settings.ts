/** How a history configures the Worker and the sandbox, which have one environment, and how the sandbox reads its contract. */

import {readFileSync} from 'node:fs';
import {parseEnv} from 'node:util';
import {READINGS} from '../sandbox/records/readings.ts';
import {repoPath} from '../scripts/lib/repo.mjs';
import {Chance, mix} from './chance.ts';
import {QUOTAS} from './quotas.ts';
import {ORIGIN, PLATFORM} from './requests.ts';
import {toText} from './values.ts';

/** What the merchant's pages sell. */
export const OFFERS: Readonly<Record<string, {readonly kurus: number; readonly hours: number}>> = {
  gold: {kurus: 14_990, hours: 72},
  brief: {kurus: 5_000, hours: 1},
};
export const WEBHOOK_SECRET = 'sandbox-webhook-secret-that-is-long-enough';

type Vars = Readonly<Record<string, string>>;
const lamp = {kind: 'payment', service: 'DEMO', title: {tr: 'Lamba', en: 'Lamp'}};
const club = {kind: 'subscription', title: {tr: 'Kulüp', en: 'Club'}, terms: {tr: 'Şartlar', en: 'Terms'}};
/** The secrets are the sandbox's. */
const VARS: Vars = {
  ...(parseEnv(readFileSync(repoPath('.dev.vars'), 'utf8')) as Vars),
  MERCHANT_ID: '123',
  MERCHANT_IP: '127.0.0.1',
  WEBHOOK_SECRET,
  WEBHOOK_URL: 'https://hooks.example/vezne',
  PHS_URL: `${PLATFORM}/phs`,
  MICROPAYMENT_URL: `${PLATFORM}/micropayment`,
  PAYMENT_PAGE_URL: `${PLATFORM}/pay`,
  LANDING_URL: `${PLATFORM}/landing`,
  NOTIFY_URL: 'https://pay.example/hooks/refund-result',
  PAYMENT_NOTIFY_URL: 'https://pay.example/hooks/payment',
  NOTIFICATIONS: 'payment',
  SERVICES: '{"DEMO":{"micropaymentId":1}}',
  ALLOWED_ORIGINS: ORIGIN,
  OFFERS: JSON.stringify({
    ...Object.fromEntries(
      Object.entries(OFFERS).map(([name, {kurus, hours}]) => [name, {...lamp, amount: toText(kurus), hours}]),
    ),
    club: {...club, product: 77, price: '12.00', period: 'weekly', operators: [{id: 1, name: 'Telemavi'}]},
  }),
  LIMITS: '{"address_sessions_per_minute":null}',
  // Without this binding, the Worker answers nothing. No actor asks for a file.
  ASSETS: 'none',
};

const KEY = '{"api_key":"sandbox-billing-key"}';
const FIELDS = 'merchantId "|" serviceId "|" referenceCode "|" item "|" price "|" successUrl "|" failureUrl';
/** The readings for which an operator has to configure the Worker. Others need nothing. */
const CONFIGURED: Readonly<Record<string, Readonly<Record<string, Vars>>>> = {
  billing_credentials: {
    header: {MICROPAYMENT_HEADERS: '{"x-api-key":"sandbox-billing-key"}'},
    query: {MICROPAYMENT_QUERY: KEY},
    body: {MICROPAYMENT_QUERY: KEY, MICROPAYMENT_BODY: KEY},
  },
  payment_page_types: {text: {PAYMENT_PAGE_TYPES: 'text'}},
  payment_page_key: {hmac: {PAYMENT_PAGE_KEY: `hmac-sha256(${FIELDS}) base64`}},
  subscription_words: {
    others: {PLATFORM_STATUSES: '{"subscription":{"yürürlükte":"active","sonlandı":"cancelled"}}'},
  },
  one_click: {token: {ONE_CLICK: 'on'}, token_and_number: {ONE_CLICK: 'with_number'}},
  phs_parameters: {query: {PHS_PARAMETERS: 'query'}},
};

export interface Settings {
  readonly readings: Readonly<Record<string, string>>;
  readonly vars: Vars;
  /** How many calls of `/phs` a minute may have; null for any number. */
  readonly phsCalls: number | null;
}

export function settingsOf(seed: number): Settings {
  const chance = new Chance(mix(seed, 5));
  const entries = Object.entries(READINGS).map(([name, all]) => [name, chance.pick<string>(all) ?? ''] as const);
  const phsCalls = chance.pick([null, 4, 4]);
  const quotas = {...Object.fromEntries(Object.values(QUOTAS)), phs_calls: phsCalls && {minute: phsCalls}};
  const configured = entries.map(([name, reading]) => CONFIGURED[name]?.[reading] ?? {});
  const vars: Vars = Object.assign({...VARS, QUOTAS: JSON.stringify(quotas)}, ...configured);
  return {readings: Object.fromEntries(entries), vars, phsCalls};
}

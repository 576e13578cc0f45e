/** The platform's four interfaces, which differ in base URL, encoding, credentials and the envelope of replies. */

import {readResponseEnvelope, readStatusEnvelope, type ReplyEnvelope} from './envelope.ts';
import {paymentPageKey, type PaymentPageRecipe} from './keys.ts';
import type {InterfaceName, Operation} from './operation.ts';

export interface PlatformRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams;
}

export interface PlatformInterface {
  /**
   * Builds the request of an operation.
   * @param token - The platform token; null when the operation needs no token.
   */
  request(
    row: Operation,
    input: Readonly<Record<string, unknown>>,
    token: string | null,
  ): PlatformRequest | Promise<PlatformRequest>;
  /** Reads a reply; returns null when it cannot be read. */
  read(text: string, httpStatus: number): ReplyEnvelope | null;
}

interface BaseOptions {
  readonly baseUrl: string;
  readonly merchantId: string;
}

interface PhsOptions extends BaseOptions {
  /** Where a POST request has its parameters. */
  readonly parameters: 'form' | 'query';
}

/** Credentials of mobile billing, for platforms that expect them as headers, in the query, or as fields of JSON. */
export type BillingCredentials = Readonly<Record<'headers' | 'query' | 'body', Readonly<Record<string, string>>>>;

interface MicropaymentOptions extends BaseOptions {
  readonly credentials: BillingCredentials;
}

interface PaymentPageOptions extends BaseOptions {
  readonly secret: string;
  readonly recipe: PaymentPageRecipe;
  /** How JSON has ids and the price. */
  readonly types: 'numbers' | 'text';
}

interface LandingOptions extends BaseOptions {
  readonly authorization: string;
}

/** The part of the configuration that says how to call the interfaces. */
interface InterfaceOptions {
  readonly phsUrl: string | null;
  readonly phsParameters: PhsOptions['parameters'];
  readonly merchant: {readonly id: string};
  readonly micropayment: Omit<MicropaymentOptions, 'merchantId'> | null;
  readonly paymentPage: Omit<PaymentPageOptions, 'merchantId'> | null;
  readonly landing: Omit<LandingOptions, 'merchantId'> | null;
}

/** The interfaces that are configured: those whose bindings are set. */
export function configuredInterfaces({
  phsUrl,
  phsParameters: parameters,
  merchant,
  micropayment,
  paymentPage,
  landing,
}: InterfaceOptions): Partial<Record<InterfaceName, PlatformInterface>> {
  const merchantId = merchant.id;
  return {
    ...(phsUrl !== null && {phs: phsInterface({baseUrl: phsUrl, merchantId, parameters})}),
    ...(micropayment && {micropayment: micropaymentInterface({...micropayment, merchantId})}),
    ...(paymentPage && {payment_page: paymentPageInterface({...paymentPage, merchantId})}),
    ...(landing && {landing: landingInterface({...landing, merchantId})}),
  };
}

/**
 * `/phs` takes a form or a query, whose nested names use brackets, and the headers `merchant` and `token` (`docs/spec/orders.md`,
 * sections 1 and 5).
 */
export function phsInterface({baseUrl, merchantId, parameters}: PhsOptions): PlatformInterface {
  return {
    request({method, path}, input, token) {
      const form = encodeForm(input);
      const headers: Record<string, string> = token === null ? {} : {merchant: merchantId, token};
      const url = `${baseUrl}${path}`;
      if (method === 'POST' && parameters === 'form') return {url, method, headers, body: form};
      return {url: form.size > 0 ? `${url}?${form}` : url, method, headers};
    },
    read: readStatusEnvelope,
  };
}

/**
 * Mobile billing takes ids in the path of a GET request and JSON in a POST request (`docs/spec/subscriptions.md`,
 * section 4.A).
 */
export function micropaymentInterface({
  baseUrl,
  merchantId,
  credentials: {headers, query, body},
}: MicropaymentOptions): PlatformInterface {
  const search = encodeForm(query);
  return {
    request({method, path}, input) {
      const fields: Record<string, unknown> = {merchantId, ...input};
      const url =
        baseUrl +
        path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(fields[name]))) +
        (search.size > 0 ? `?${search}` : '');
      if (method === 'GET') return {url, method, headers};
      return {
        url,
        method,
        headers: {...headers, 'content-type': 'application/json'},
        body: encodeJson({...withPlainNumbers(fields), ...body}),
      };
    },
    read: readResponseEnvelope,
  };
}

/**
 * The payment page takes JSON with a `key`, which is a hash of the other fields (`docs/spec/subscriptions.md`, section
 * 4.B). The hash covers the exact digits of each number.
 */
export function paymentPageInterface({
  baseUrl,
  merchantId,
  secret,
  recipe,
  types,
}: PaymentPageOptions): PlatformInterface {
  return {
    async request({path}, input) {
      const fields = withPlainNumbers({merchantId, ...input});
      const body = {...fields, key: await paymentPageKey(recipe, fields, secret)};
      return {
        url: `${baseUrl}${path}`,
        method: 'POST',
        headers: {'content-type': 'application/json'},
        body: types === 'text' ? JSON.stringify(body) : encodeJson(body),
      };
    },
    read: readResponseEnvelope,
  };
}

/**
 * The landing interface takes a form with `authorization` and `merchant` in the request's body, not in the URL
 * (`docs/spec/subscriptions.md`, section 4.C).
 */
export function landingInterface({baseUrl, merchantId, authorization}: LandingOptions): PlatformInterface {
  return {
    request: ({path}, input) => ({
      url: `${baseUrl}${path}`,
      method: 'POST',
      headers: {},
      body: encodeForm({authorization, merchant: merchantId, ...input}),
    }),
    read: readStatusEnvelope,
  };
}

/** Fields of JSON that are numbers in the contract. The Worker has them as text, because a number would be rounded. */
const NUMBERS: ReadonlySet<string> = new Set(['merchantId', 'serviceId', 'price']);

/** Removes zeros from the beginning of each number, because JSON does not allow them. */
function withPlainNumbers(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      NUMBERS.has(name) ? String(value).replace(/^0+(?=\d)/, '') : value,
    ]),
  );
}

/** Encodes JSON. `NUMBERS` become numbers with exactly the given digits: `10.00`, or an id that is larger than 2^53. */
function encodeJson(fields: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}:${NUMBERS.has(name) ? value : JSON.stringify(value)}`);
  return `{${members.join()}}`;
}

/**
 * Encodes a form. Nested fields use brackets (`Transaction[startDate]`), and each item of a list repeats the name
 * `field[]` (`docs/spec/orders.md`, section 1).
 */
function encodeForm(input: object): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(input)) append(form, name, value);
  return form;
}

function append(form: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined) return;
  if (Array.isArray(value)) for (const item of value) append(form, `${name}[]`, item);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) append(form, `${name}[${key}]`, item);
  } else form.append(name, String(value));
}

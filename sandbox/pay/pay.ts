/** The hosted pages by path, and the operation that creates a payment page. */

import {findServiceById} from '../config.ts';
import type {Context} from '../context.ts';
import {parseAmount, toIsoLocal, toLocalTime, isWebAddress} from '../formats.ts';
import {PAGE_KEY_FIELDS, type PageKeyFields, pageKey} from '../keys.ts';
import {answerRefusal, answerStatus, succeed, MicropaymentRefusal} from '../micropayment/envelope.ts';
import {logUnexpectedError, parseKeepingDigits, type PlatformInterface, type PlatformRequest} from '../request.ts';
import {answerAsset} from './assets.ts';
import {answerBankPage} from './bank-page.ts';
import {answerNoticePage} from './notice-page.ts';
import {answerNotFound, toPageRequest, type PageRequest} from './page.ts';
import {answerPaymentPage} from './payment-page.ts';
import {answerVendorPage} from './vendor-page.ts';

const TOKEN_PATH = '/pay/token';

/**
 * The interface of the hosted pages: the operation that creates a token for the payment page (subscriptions.md 4.B),
 * and the pages.
 */
export const payInterface: PlatformInterface = {
  operationOf: (path) => (path === TOKEN_PATH ? TOKEN_PATH : undefined),
  isPage: (path) => path !== TOKEN_PATH,
  refuse: (status, context) => answerStatus(status, context, 'respnseTime'),
  answer: async (request, context) =>
    request.path === TOKEN_PATH ? answerToken(request, context) : answerHostedPage(request, context),
};

async function answerToken(request: PlatformRequest, context: Context): Promise<Response> {
  try {
    if (request.method !== 'POST') throw new MicropaymentRefusal('API_ERR_1005');
    return succeed(await createPageToken(request, context), context, 'respnseTime');
  } catch (error) {
    if (error instanceof MicropaymentRefusal) return answerRefusal(error, context, 'respnseTime');
    logUnexpectedError(request.path, error);
    return answerRefusal(new MicropaymentRefusal('API_ERR_9000'), context, 'respnseTime');
  }
}

/** The pages by the prefix of their path. An order code, notice code, token or form code follows the prefix. */
const PAGES: ReadonlyMap<string, (request: PageRequest, code: string, context: Context) => Response> = new Map([
  ['/pay/phs/banks/', answerBankPage],
  ['/pay/phs/yonlendir/', answerNoticePage],
  ['/pay/phs/vendor/', answerVendorPage],
  ['/pay/page/', answerPaymentPage],
]);

/**
 * Serves the pages that shoppers and vendors see, in Turkish and English. If the browser runs no JavaScript, the
 * pages have no copy buttons, and a vendor form that needs a session is refused. Everything else works.
 */
export function answerHostedPage(request: PlatformRequest, context: Context): Response {
  const asset = answerAsset(request.path);
  if (asset) return asset;
  const pageRequest = toPageRequest(request);
  const [prefix, answer] = [...PAGES].find(([start]) => request.path.startsWith(start)) ?? [];
  if (prefix === undefined || answer === undefined) return answerNotFound(pageRequest);
  if (request.method !== 'GET' && request.method !== 'POST')
    return new Response(null, {status: 405, headers: {allow: 'GET, POST'}});
  return answer(pageRequest, request.path.slice(prefix.length), context);
}

const MAX_TRIAL_DAYS = 366;

/** /pay/token (subscriptions.md 4.B). The merchant sends a form, or JSON with numbers or strings. */
export async function createPageToken(request: PlatformRequest, context: Context) {
  const {config, paymentPages, readings} = context;
  const sent = readFields(request);
  requireTypes(request, context);
  for (const name of [...PAGE_KEY_FIELDS, 'key']) if (!sent.get(name)) throw invalid(name);
  const fields = Object.fromEntries(PAGE_KEY_FIELDS.map((name) => [name, sent.get(name) ?? ''])) as PageKeyFields;
  if (fields.merchantId !== String(config.merchantId)) throw invalid('merchantId');
  if (sent.get('key') !== (await pageKey(fields, config, readings.get('payment_page_key'))))
    throw new MicropaymentRefusal('API_ERR_1023');
  const page = paymentPages.create({
    serviceId: requireService(fields.serviceId),
    referenceCode: fields.referenceCode,
    item: fields.item,
    priceKurus: requirePrice(fields.price),
    successUrl: requireAddress('successUrl', fields),
    failureUrl: requireAddress('failureUrl', fields),
    trialDays: readTrial(sent),
  });
  return {
    tokenData: {
      token: page.token,
      redirectUrl: `${request.origin}/pay/page/${page.token}`,
      expiryDate: toIsoLocal(toLocalTime(page.expiresAtMs)),
    },
  };
}

/** Reads every value as the text that the merchant sent. */
function readFields({parameters, json}: PlatformRequest): ReadonlyMap<string, string> {
  if (json === undefined) return new Map(parameters.entries);
  try {
    const fields: unknown = parseKeepingDigits(json);
    const entries = typeof fields === 'object' && fields !== null ? Object.entries(fields) : [];
    return new Map(entries.filter(isScalar).map(([name, value]) => [name, String(value)]));
  } catch {
    throw invalid('body');
  }
}

/** Refuses JSON whose ids or price are not of the type that the reading `payment_page_types` names. */
function requireTypes({json}: PlatformRequest, {readings}: Context): void {
  const types = readings.get('payment_page_types');
  if (types === 'any' || json === undefined) return;
  const fields = JSON.parse(json) as Readonly<Record<string, unknown>>;
  for (const name of ['merchantId', 'serviceId', 'price'])
    if (typeof fields[name] !== (types === 'numbers' ? 'number' : 'string')) throw invalid(name);
}

function isScalar([, value]: [string, unknown]): boolean {
  return typeof value === 'string' || typeof value === 'boolean';
}

function requireService(serviceId: string): number {
  const service = findServiceById(Number(serviceId));
  if (!service) throw invalid('serviceId');
  return service.id;
}

function requirePrice(price: string): number {
  const priceKurus = parseAmount(price);
  if (!priceKurus) throw invalid('price');
  return priceKurus;
}

function requireAddress(name: 'successUrl' | 'failureUrl', fields: PageKeyFields): string {
  if (!isWebAddress(fields[name])) throw invalid(name);
  return fields[name];
}

/**
 * Reads the optional trial. A trial turns the payment into a subscription. The trial is not part of the key
 * (observed.md, "Keys").
 */
function readTrial(sent: ReadonlyMap<string, string>): number | undefined {
  if (!['true', '1'].includes(sent.get('hasTrialPeriod') ?? '')) return undefined;
  const days = Number(sent.get('trialPeriodDay') ?? '0');
  if (!Number.isInteger(days) || days < 1 || days > MAX_TRIAL_DAYS) throw invalid('trialPeriodDay');
  return days;
}

function invalid(parameter: string): MicropaymentRefusal {
  return new MicropaymentRefusal('API_ERR_1001', {parameter});
}

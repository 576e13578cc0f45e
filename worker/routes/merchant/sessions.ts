/**
 * Sessions that the merchant's server creates. Only the merchant's server may set an order, a split, a subscription or
 * a vendor.
 */

import type * as z from 'zod/mini';
import {matchesOrigin} from '../../config/origins.ts';
import type {MerchantSession} from '../../contract/merchant/sessions.ts';
import type {MerchantSessionRequest} from '../../contract/merchant/sessions.ts';
import {ApiError, fieldError} from '../../http/errors.ts';
import {randomText} from '../../lib/crypto.ts';
import {formatAmount, parseAmount} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import {digestTexts} from '../../objects/archive/consent-store.ts';
import {askedBuyer} from '../../objects/order/buyer.ts';
import {onlyPart} from '../../objects/order/order-parts.ts';
import type {SessionDetails} from '../../objects/record/session-details.ts';
import {CREATE_WINDOW_MS, MANAGEMENT_SESSION_MS, READ_WINDOW_MS, SUBSCRIPTION_SESSION_MS} from '../../session.ts';
import {toldOf} from '../browser/offer-terms.ts';
import {checkAfterPayment, checkServerReturnUrls} from '../return-urls.ts';
import {requireBilledService, requireServiceCode} from '../services.ts';
import {otherAmount} from './auth.ts';
import type {Handlers, WriteContext} from './handler.ts';
import {requireIbanCountry} from './input.ts';

type SessionInput = z.output<typeof MerchantSessionRequest>;
type SessionInputOf<K extends SessionInput['kind']> = Extract<SessionInput, {kind: K}>;

/** How long a shopper has to pay, unless the request says otherwise. */
export const DEFAULT_HOURS = 72;
/** 160 random bits: nobody can guess the name, so only the holder of the session knows it. */
const DETAILS_NAME_LENGTH = 32;

export const sessionHandlers = {
  async createSession(input, context) {
    if (!matchesOrigin(input.origin, context.config.allowedOrigins)) {
      throw fieldError('origin_not_allowed', 'origin', 'ALLOWED_ORIGINS does not include this origin.');
    }
    const session = await createAnySession(input, context);
    context.reporter.count('sessions', {kind: input.kind, opened_by: 'server'});
    return session;
  },
} satisfies Partial<Handlers>;

function createAnySession(input: SessionInput, context: WriteContext): Promise<MerchantSession> {
  // Nothing says to which service a product or a subscription of the landing interface belongs.
  const isLanding = input.kind === 'subscription' || (input.kind === 'management' && input.via === 'landing');
  if (isLanding && context.caller.services !== null) throw new ApiError('all_services_required');
  switch (input.kind) {
    case 'payment':
      return createPaymentSession(input, context);
    case 'subscription':
      return createSubscriptionSession(input, context);
    case 'management':
      return createManagementSession(input, context);
    case 'vendor':
      return createVendorSession(input, context);
  }
}

/**
 * Whether less than half of a session's time is left; for a payment session, of its time until `create_until`. In this
 * case, a repeated request gets a new token, because a page that is opened now needs time.
 * @param answer - The body of an earlier answer.
 */
export function isSessionEnding(answer: string): boolean {
  const session = JSON.parse(answer) as MerchantSession;
  const end = session.kind === 'payment' ? session.create_until : session.expires_at;
  return Date.parse(end) - Date.now() < LIFETIMES_MS[session.kind] / 2;
}

const LIFETIMES_MS: Readonly<Record<MerchantSession['kind'], number>> = {
  payment: CREATE_WINDOW_MS,
  subscription: SUBSCRIPTION_SESSION_MS,
  management: MANAGEMENT_SESSION_MS,
  vendor: MANAGEMENT_SESSION_MS,
};

async function createPaymentSession(
  input: SessionInputOf<'payment'>,
  {config, objects, sessions: signer, caller}: WriteContext,
): Promise<MerchantSession> {
  const service = requireServiceCode(config, input.service);
  const {origin, order, success_url: successUrl, failure_url: failureUrl, hours = DEFAULT_HOURS} = input;
  const {prefill, seller, title, metadata, thanks, after_payment} = input;
  checkAfterPayment(after_payment, config);
  const {after} = toldOf({thanks, after_payment}, undefined);
  checkServerReturnUrls({success_url: successUrl, failure_url: failureUrl}, config);
  const terms = {service, order, amount: parseAmount(input.amount) ?? 0, hours};
  const {payout, sub_merchant_id: subMerchantId, fee} = input;
  const parts =
    input.parts?.map(({sub_merchant_id: id, amount, ...part}) => ({
      ...part,
      subMerchantId: id,
      amount: parseAmount(amount) ?? 0,
    })) ?? onlyPart(terms.amount, {payout, subMerchantId, fee});
  const conflicting = await objects.order(service, order).prepare(terms, {
    by: caller.id,
    parts,
    userId: input.user_id,
    prefill,
    asked: askedBuyer(input),
    seller,
    title,
    metadata,
    after,
  });
  if (conflicting === 'cancelled') throw new ApiError('order_cancelled');
  if (conflicting !== null) {
    if (conflicting !== terms.amount) throw otherAmount(formatAmount(conflicting), caller);
    const message =
      'The order has another split or user_id. PATCH /merchant/v1/order-codes changes the split, but not the user_id.';
    throw fieldError('order_exists', 'order', message);
  }

  const now = Date.now();
  const session = {
    kind: 'payment',
    origin,
    terms,
    createUntil: now + CREATE_WINDOW_MS,
    readUntil: now + READ_WINDOW_MS,
    successUrl,
    failureUrl,
  } as const;
  return {
    token: await signer.sign(session),
    kind: 'payment',
    service,
    order,
    amount: formatAmount(terms.amount),
    currency: 'TRY',
    hours,
    create_until: formatInstant(session.createUntil),
    read_until: formatInstant(session.readUntil),
  };
}

async function createSubscriptionSession(
  input: SessionInputOf<'subscription'>,
  context: WriteContext,
): Promise<MerchantSession> {
  const {
    origin,
    product,
    period,
    trial_days: trialDays,
    operators,
    title,
    terms,
    terms_url,
    privacy_url,
    manage_url,
    seller,
  } = input;
  const price = parseAmount(input.price) ?? 0;
  const expiresAt = Date.now() + SUBSCRIPTION_SESSION_MS;
  const texts = {title, terms, terms_url, privacy_url, manage_url, seller};
  const details = await saveDetails({kind: 'subscription', ...texts}, expiresAt, context);
  const token = await context.sessions.sign({
    kind: 'subscription',
    origin,
    product,
    price,
    period,
    trialDays,
    operators,
    details,
    texts: await digestTexts({title, terms}),
    expiresAt,
  });
  return {token, kind: 'subscription', product, price: formatAmount(price), expires_at: formatInstant(expiresAt)};
}

async function createManagementSession(
  {origin, via, service, subscription, seller}: SessionInputOf<'management'>,
  {config, sessions: signer}: WriteContext,
): Promise<MerchantSession> {
  if (via === 'micropayment') requireBilledService(config, service);
  else if (!config.services.has(service)) requireBilledService(config, service);
  const expiresAt = Date.now() + MANAGEMENT_SESSION_MS;
  const token = await signer.sign({kind: 'management', origin, via, service, subscription, seller, expiresAt});
  return {token, kind: 'management', subscription, expires_at: formatInstant(expiresAt)};
}

async function createVendorSession(input: SessionInputOf<'vendor'>, context: WriteContext): Promise<MerchantSession> {
  const service = requireServiceCode(context.config, input.service);
  const {origin, vendor_code: vendorCode, name, phone, iban, email, tc_no: tcNo} = input;
  requireIbanCountry(iban, 'iban', context.config);
  const expiresAt = Date.now() + MANAGEMENT_SESSION_MS;
  const details = await saveDetails({kind: 'vendor', vendorCode, name, phone, iban, email, tcNo}, expiresAt, context);
  const token = await context.sessions.sign({kind: 'vendor', origin, service, details, expiresAt});
  return {token, kind: 'vendor', vendor_code: vendorCode, expires_at: formatInstant(expiresAt)};
}

/** Stores data that must not be in the token. @returns The name of the `Record` object. */
async function saveDetails(details: SessionDetails, until: number, {objects}: WriteContext): Promise<string> {
  const name = randomText(DETAILS_NAME_LENGTH);
  await objects.details(name).saveDetails(details, until);
  return name;
}

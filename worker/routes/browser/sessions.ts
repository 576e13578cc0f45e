/** Opens sessions from offers, and describes subscription sessions. */

import type {Config} from '../../config/config.ts';
import type {NewPaymentSession} from '../../contract/browser/answers.ts';
import type {NewSubscriptionSession, SubscriptionTerms} from '../../contract/browser/subscription-answers.ts';
import type {BuyerForm} from '../../contract/buyer.ts';
import type {SubscriptionLinks} from '../../contract/fields.ts';
import type {PaymentOffer, SubscriptionOffer} from '../../contract/offers.ts';
import {ApiError} from '../../http/errors.ts';
import {ORDER_ACTION, PIN_ACTION} from '../../http/human-check.ts';
import {parseAmount, formatAmount} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import {digestTexts} from '../../objects/archive/consent-store.ts';
import {
  CREATE_WINDOW_MS,
  type OrderTerms,
  READ_WINDOW_MS,
  SUBSCRIPTION_SESSION_MS,
  type SubscriptionSession,
} from '../../session.ts';
import {type Bill, findOffer, type OfferAsker, requireOffer} from '../offers.ts';
import type {RouteContext} from '../route.ts';
import type {BrowserHandlers} from './handler.ts';
import {termsOf} from './offer-terms.ts';

export const sessionHandlers = {
  /**
   * POST /v1/sessions: opens a session for an offer. The page names only the offer; the price comes from the offer.
   */
  async openSession({offer: id}, context, request) {
    const offer = await requireOffer(context, id);
    const page = {origin: request.headers.get('origin') ?? '', offer: id};
    const session = await (offer.kind === 'payment'
      ? openPaymentSession(offer, page, context)
      : newSubscriptionSession(offer, page, context));
    context.reporter.count('sessions', {kind: offer.kind, opened_by: 'page'});
    return session;
  },

  /**
   * GET /v1/session: the terms of a subscription session, for a page whose session was created by the merchant's server.
   */
  async showSession(_input, context) {
    return describeTerms(context.session, context);
  },
} satisfies Partial<BrowserHandlers>;

async function openPaymentSession(
  offer: PaymentOffer | Bill,
  page: OfferPage,
  context: RouteContext,
): Promise<NewPaymentSession> {
  const {terms, form} = await termsOf(offer, context);
  return paymentSession(page, {...terms, at: Date.now(), form}, context);
}

/** The page's origin and the name of its offer. */
export interface OfferPage {
  readonly origin: string;
  readonly offer: string;
}

/**
 * A session for an order. The same arguments give the same token, unless the secret was rotated.
 * @param terms - The order, when the session began, in epoch milliseconds, and what the page asks for.
 */
export async function paymentSession(
  page: OfferPage,
  {at, form, ...terms}: OrderTerms & {readonly at: number; readonly form?: BuyerForm | undefined},
  {config, sessions}: RouteContext,
): Promise<NewPaymentSession> {
  const session = {
    kind: 'payment',
    ...page,
    terms,
    ...(form && {asks: true as const}),
    createUntil: at + CREATE_WINDOW_MS,
    readUntil: at + READ_WINDOW_MS,
  } as const;
  const {order, title = {tr: order, en: order}, amount, hours} = terms;
  return {
    token: await sessions.sign(session),
    kind: 'payment',
    order,
    title,
    amount: formatAmount(amount),
    currency: 'TRY',
    create_until: formatInstant(session.createUntil),
    read_until: formatInstant(session.readUntil),
    hours,
    human_check: config.turnstile && {sitekey: config.turnstile.sitekey, action: ORDER_ACTION},
    ...(form && {buyer_form: form}),
  };
}

async function newSubscriptionSession(
  {product, price, period, trial_days: trialDays, operators, ...texts}: SubscriptionOffer,
  page: OfferPage,
  context: RouteContext,
): Promise<NewSubscriptionSession> {
  const expiresAt = Date.now() + SUBSCRIPTION_SESSION_MS;
  const session = {
    kind: 'subscription',
    ...page,
    product,
    price: parseAmount(price) ?? 0,
    period,
    trialDays,
    operators,
    texts: await digestTexts(texts),
    expiresAt,
  } as const;
  return {token: await context.sessions.sign(session), ...(await describeTerms(session, context))};
}

/** The terms of an offer, for pages that have no session yet. Such pages have no use for the seller. */
export function describeOffer(
  {seller: _seller, ...offer}: SubscriptionOffer,
  config: Config,
): Omit<SubscriptionTerms, 'create_until'> {
  const {price, period, trial_days: trialDays, operators} = offer;
  return toTerms(offer, {price, period, trialDays, operators}, config);
}

/**
 * Describes a subscription session. The price is in the token, the texts are in the offer or in `Record`.
 * @throws {ApiError} `unknown_offer` if the offer was deleted, `misconfigured` if the offer
 * is wrong, `session_expired` if `Record` no longer stores the texts.
 */
export async function describeTerms(session: SubscriptionSession, context: OfferAsker): Promise<SubscriptionTerms> {
  const {price, expiresAt} = session;
  const texts = await readTexts(session, context);
  return {
    ...toTerms(texts, {...session, price: formatAmount(price)}, context.config),
    create_until: formatInstant(expiresAt),
  };
}

type ShownTexts = Pick<SubscriptionTerms, 'title' | 'terms' | 'seller' | keyof SubscriptionLinks>;

function toTerms(
  {title, terms, terms_url, privacy_url, manage_url, seller}: ShownTexts,
  {
    price,
    period,
    trialDays,
    operators,
  }: Pick<SubscriptionSession, 'period' | 'trialDays' | 'operators'> & {price: string},
  {oneClick, turnstile}: Config,
): Omit<SubscriptionTerms, 'create_until'> {
  return {
    kind: 'subscription',
    title,
    terms,
    ...(terms_url && {terms_url}),
    ...(privacy_url && {privacy_url}),
    ...(manage_url && {manage_url}),
    ...(seller && {seller}),
    price,
    currency: 'TRY',
    period,
    ...(trialDays !== undefined && {trial_days: trialDays}),
    operators: [...operators],
    human_check: turnstile && {sitekey: turnstile.sitekey, action: PIN_ACTION},
    one_click: oneClick !== 'off',
  };
}

/**
 * The title and terms that a page with this session shows.
 * @throws {ApiError} like `describeTerms`.
 */
export async function readTexts({offer: id, details}: SubscriptionSession, context: OfferAsker): Promise<ShownTexts> {
  if (details !== undefined) {
    const saved = await context.objects.details(details).readDetails();
    if (saved?.kind !== 'subscription') throw new ApiError('session_expired');
    return saved;
  }
  const offer = await findOffer(context, id ?? '');
  if (offer.kind !== 'subscription') throw new ApiError('unknown_offer');
  return offer;
}

/** The page of an offer, `/p/<public name>`: a link that a merchant sends, without a page or a server of one's own. */

import {readBody} from '../../http/body.ts';
import {ApiError} from '../../http/errors.ts';
import {randomText} from '../../lib/crypto.ts';
import {lookUp} from '../../lib/look-up.ts';
import {formatAmount} from '../../lib/money.ts';
import {askedBuyer} from '../../objects/order/buyer.ts';
import {CREATE_WINDOW_MS, READ_WINDOW_MS} from '../../session.ts';
import {hostedPageHandlers} from '../browser/hosted-pages.ts';
import {billTerms, enterBill} from '../browser/offer-terms.ts';
import {findTerms} from '../browser/orders.ts';
import {findOffer, type FoundOffer, isBill, isExpired, requireOffer} from '../offers.ts';
import {limitSessions, limitSite} from '../rate-limit.ts';
import type {RouteContext} from '../route.ts';
import {html, type Html} from './html.ts';
import {languageOf, noticeCard, renderPage} from './page-shell.ts';
import {type Language, PAGE_TEXTS} from './page-texts.ts';

/**
 * GET /p/{name}: the checkout of a payment, or the form of a subscription; of an expired offer and a closed bill, why
 * nobody can pay. The page itself creates no order.
 */
export async function showOffer(request: Request, context: RouteContext): Promise<Response> {
  const name = offerName(context);
  const offer = await findOffer(context, name);
  const entered = isBill(offer) ? await enterBill(offer, context) : null;
  const code = entered && 'closed' in entered ? entered.closed : isExpired(offer) && 'offer_expired';
  if (code) return renderOffer(name, offer, request, context, CLOSED[code]);
  const amount = entered && 'amount' in entered ? formatAmount(entered.amount) : undefined;
  return renderOffer(name, offer, request, context, {amount});
}

const CLOSED = {
  order_paid: {closed: 'paid'},
  order_cancelled: {closed: 'cancelled'},
  offer_expired: {closed: 'expired', status: 410},
} as const;

/** The offer that the path names; a path that cannot be decoded names none. @throws {ApiError} `unknown_offer` */
function offerName({params}: RouteContext): string {
  try {
    return decodeURIComponent(params['name'] ?? '');
  } catch {
    throw new ApiError('unknown_offer');
  }
}

const pathOf = (name: string) => `/p/${encodeURIComponent(name)}`;

interface RenderOptions {
  /** The amount of a bill whose order exists; otherwise the page shows that of the offer. */
  readonly amount?: string | undefined;
  /** Why nobody can pay any more. */
  readonly closed?: 'paid' | 'cancelled' | 'expired';
  readonly status?: number;
  /** A sentence above the form that leads to the bank page. */
  readonly note?: string | undefined;
}

function renderOffer(
  name: string,
  offer: FoundOffer,
  request: Request,
  {config, url}: RouteContext,
  {amount: known, closed, status, note}: RenderOptions = {},
): Response {
  const language = languageOf(request);
  const t = PAGE_TEXTS[language];
  const {kind, seller, theme, expires_at: expiresAt} = offer;
  const title = offer.title[language];
  const isPayment = kind === 'payment';
  const asks = isPayment && askedBuyer(offer) !== null;
  const amount = known ?? (isPayment ? offer.amount : offer.price);
  const price =
    formatPrice(amount, language) + (isPayment ? '' : (lookUp(t.each, offer.period) ?? ` / ${offer.period}`));
  const bankPage = isPayment && config.phsUrl !== null && config.hostedUrl !== null ? config.hostedUrl : null;
  const hasReturned = url.searchParams.get('from') === 'bank';
  const way =
    bankPage === null || asks
      ? html`<p>${t.noScriptContact}</p>`
      : bankForm(name, amount, language, note ?? (hasReturned ? t.sent : t.noScript));
  const until = expiresAt !== undefined && html`<p class="until">${t.until(formatTime(expiresAt, language))}</p>`;
  const titleAndPrice = `${title} · ${price}`;
  const notice = closed && noticeCard(closed, language, titleAndPrice);
  const fallback =
    notice || html`<div class="fallback"><h2>${title}</h2><p class="sum">${price}</p>${until}${way}</div>`;
  const element = isPayment
    ? html`<vezne-checkout offer="${name}">${fallback}</vezne-checkout>`
    : html`<vezne-pin-subscribe offer="${name}">${fallback}</vezne-pin-subscribe>`;
  return renderPage(
    {
      language,
      path: pathOf(name),
      isShared: !closed,
      title: titleAndPrice,
      description: [seller?.name, isPayment ? t.payment : t.subscription].filter(Boolean).join(' · '),
      heading: seller?.name ?? (isPayment ? t.payment : t.subscription),
      seller,
      theme,
      // The receipt of a browser that ordered needs the script too.
      script:
        closed && !isPayment
          ? undefined
          : `/${isPayment ? 'checkout' : 'subscribe'}.js?offer=${encodeURIComponent(name)}`,
      trustedTypes: isPayment ? 'vezne-transfer' : 'vezne-subscription',
      formTarget: bankPage === null || closed ? undefined : new URL(bankPage).origin,
      body: closed
        ? html`${notice}${isPayment && html`<template>${element}</template>`}`
        : html`${element}
<div class="bill"><h2>${title}</h2><p class="sum">${price}</p>${until}</div>`,
      status,
    },
    request,
    config,
  );
}

/** The way to pay without the script. It is shown if the browser runs no scripts, or the script has not come. */
function bankForm(name: string, amount: string, language: Language, note: string): Html {
  const t = PAGE_TEXTS[language];
  return html`<form method="post" action="${pathOf(name)}?lang=${language}">
<p>${note}</p>
<input type="hidden" name="attempt" value="${randomText(ATTEMPT_LENGTH)}"><input type="hidden" name="amount" value="${amount}">
<button>${t.toBanks}</button>
</form>`;
}

const ATTEMPT_LENGTH = 26;
const ATTEMPT = /^[0-9A-HJKMNP-TV-Z]{26}$/;
const MAX_FORM_BYTES = 1_024;

/**
 * POST /p/{name}: leads a shopper whose browser runs no scripts to the platform's bank page. It does what the checkout
 * would do with `POST /v1/order-code` and `POST /v1/hosted-payment`, within the same limits. The same form sent twice
 * reaches the same order.
 */
export async function payOffer(request: Request, context: RouteContext): Promise<Response> {
  await limitSite(context);
  await limitSessions(context);
  const form = new URLSearchParams(await readBody(request, MAX_FORM_BYTES));
  const attempt = form.get('attempt') ?? '';
  if (!ATTEMPT.test(attempt)) throw new ApiError('invalid_request');
  const id = offerName(context);
  const offer = await requireOffer(context, id);
  if (offer.kind !== 'payment') throw new ApiError('unknown_offer');
  const language = languageOf(request);
  const {origin} = context.url;
  const page = {origin, offer: id};
  const {terms, form: asked} = isBill(offer)
    ? await billTerms(offer, context)
    : {terms: await findTerms(offer, page, attempt, context), form: askedBuyer(offer)?.form};
  const amount = formatAmount(terms.amount);
  if (form.get('amount') !== amount)
    return renderOffer(id, offer, request, context, {amount, status: 409, note: PAGE_TEXTS[language].priceChanged});
  const now = Date.now();
  const session = {
    kind: 'payment',
    ...page,
    terms,
    ...(asked && {asks: true as const}),
    createUntil: now + CREATE_WINDOW_MS,
    readUntil: now + READ_WINDOW_MS,
  } as const;
  const address = `${origin}${pathOf(id)}?lang=${language}`;
  const {url} = await hostedPageHandlers.createHostedPayment(
    {redirect_url: `${address}&from=bank`, back_url: address},
    {...context, session, receivedAt: now},
    request,
  );
  return new Response(null, {
    status: 303,
    headers: {location: url, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer'},
  });
}

/** `2026-11-30T23:59:00+03:00` → `30 Kasım 2026 23:59` */
function formatTime(time: string, language: Language): string {
  return new Intl.DateTimeFormat(language === 'tr' ? 'tr-TR' : 'en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'Europe/Istanbul',
  }).format(new Date(time));
}

/** `149.90` → `₺149,90` */
function formatPrice(amount: string, language: Language): string {
  return new Intl.NumberFormat(language === 'tr' ? 'tr-TR' : 'en-GB', {
    style: 'currency',
    currency: 'TRY',
    currencyDisplay: 'narrowSymbol',
  }).format(amount as Intl.StringNumericLiteral);
}

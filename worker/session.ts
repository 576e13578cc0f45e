/**
 * Sessions: signed tokens that say what a page may do. Prices and orders come from the token, never from the page.
 * A session contains no personal data.
 */

import * as z from 'zod/mini';
import type {Localized, Seller} from './contract/fields.ts';
import {ApiError} from './http/errors.ts';
import {fromBase64, hmacBytes, isHmac, toBase64Url, utf8} from './lib/crypto.ts';
import {DAY_MS, MINUTE_MS, SECOND_MS} from './lib/durations.ts';
import {ExpiringCache} from './lib/expiring-cache.ts';
import {lazily} from './lib/lazily.ts';
import type {Kurus} from './lib/money.ts';

/** How long a page with a payment session may create an order code. */
export const CREATE_WINDOW_MS = 30 * MINUTE_MS;
/** How long a page with a payment session may read the payment. */
export const READ_WINDOW_MS = 7 * DAY_MS;

/** How long an isolate accepts a token after verifying the token's signature, without verifying it again. */
export const VERIFIED_MS = 10 * SECOND_MS;
/** How many verified tokens an isolate keeps. Only genuine tokens are kept, and they have about 500 characters. */
export const MAX_VERIFIED = 500;

/** A decoder also accepts signatures with padding or with other bits after the last byte; each token has one spelling. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;
/** The one header of a token (RFC 7515), so that no token can choose how it is verified. */
const HEADER = toBase64Url(utf8(JSON.stringify({alg: 'HS256', typ: 'vezne-session+jwt'})));
const AUDIENCE = 'vezne-browser';

/** How long a subscription session is valid. */
export const SUBSCRIPTION_SESSION_MS = 30 * MINUTE_MS;
/** How long management and vendor sessions are valid. */
export const MANAGEMENT_SESSION_MS = 10 * MINUTE_MS;

/** What was checked before the token was signed. Later checks may be stricter, and the token stays valid. */
const checked = <T>() => z.optional(z.unknown() as z.ZodMiniType<T>);

/** The claims of a session of each kind. */
const claimsOf = {
  payment: lazily(() =>
    z.object({
      kind: z.literal('payment'),
      origin: z.string(),
      service: z.string(),
      order: z.string(),
      /** Kuruş. */
      amount: z.int().check(z.positive()),
      hours: z.number().check(z.positive()),
      /** Epoch milliseconds. */
      create_until: z.int(),
      offer: z.optional(z.string()),
      shared: z.optional(z.literal(true)),
      asks: z.optional(z.literal(true)),
      title: checked<Localized>(),
      seller: checked<Seller>(),
      success_url: z.optional(z.string()),
      failure_url: z.optional(z.string()),
      /** Epoch seconds. */
      exp: z.int(),
    }),
  ),
  subscription: lazily(() =>
    z.object({
      kind: z.literal('subscription'),
      origin: z.string(),
      product: z.int(),
      price: z.int().check(z.positive()),
      period: z.string(),
      trialDays: z.optional(z.int()),
      operators: z.array(z.object({id: z.int(), name: z.string()})),
      offer: z.optional(z.string()),
      details: z.optional(z.string()),
      texts: z.string(),
      exp: z.int(),
    }),
  ),
  management: lazily(() =>
    z.object({
      kind: z.literal('management'),
      origin: z.string(),
      via: z.enum(['landing', 'micropayment']),
      service: z.string(),
      subscription: z.string(),
      seller: checked<Seller>(),
      exp: z.int(),
    }),
  ),
  vendor: lazily(() =>
    z.object({
      kind: z.literal('vendor'),
      origin: z.string(),
      service: z.string(),
      details: z.string(),
      exp: z.int(),
    }),
  ),
};
type Claims = {[K in SessionKind]: z.infer<ReturnType<(typeof claimsOf)[K]>>}[SessionKind];

/** The claims of a genuine token, before they are checked. */
interface Payload {
  readonly aud?: unknown;
  readonly exp?: unknown;
  readonly kind?: unknown;
}

interface CommonSession {
  /** The origin of the page that may use this session. */
  readonly origin: string;
}

export interface PaymentSession extends CommonSession {
  readonly kind: 'payment';
  readonly terms: OrderTerms;
  /** Until when the page may create an order code, epoch milliseconds; 0 for a read-only session. */
  readonly createUntil: number;
  /** Until when the page may read the payment, epoch milliseconds. */
  readonly readUntil: number;
  /** The offer that the session is for; undefined if the merchant's server set the terms. */
  readonly offer?: string | undefined;
  /** Set if the offer asked who buys when the session began; see `askedOf`. */
  readonly asks?: true | undefined;
  /** The URL to which the shopper returns after paying, if the merchant's server set one. */
  readonly successUrl?: string | undefined;
  /** The URL to which the shopper returns if paying failed. */
  readonly failureUrl?: string | undefined;
}

/** Lets a page subscribe numbers to this product at this price. */
export interface SubscriptionSession extends CommonSession {
  readonly kind: 'subscription';
  readonly product: number;
  readonly price: Kurus;
  readonly period: string;
  /** Free days before the first charge. */
  readonly trialDays?: number | undefined;
  readonly operators: readonly {readonly id: number; readonly name: string}[];
  /** The offer that contains the title and terms. */
  readonly offer?: string | undefined;
  /** Name of the `Record` object that stores title and terms, if the merchant's server created the session. */
  readonly details?: string | undefined;
  /** Digest of title and terms. */
  readonly texts: string;
  readonly expiresAt: number;
}

/** Lets a page show and cancel this subscription. */
export interface ManagementSession extends CommonSession {
  readonly kind: 'management';
  readonly via: 'landing' | 'micropayment';
  /** Service code. */
  readonly service: string;
  readonly subscription: string;
  /** The seller whom the page shows. */
  readonly seller?: Seller | undefined;
  readonly expiresAt: number;
}

/** Lets a page open the registration form of this vendor. */
export interface VendorSession extends CommonSession {
  readonly kind: 'vendor';
  readonly service: string;
  /** Name of the `Record` object that stores the vendor's data. */
  readonly details: string;
  readonly expiresAt: number;
}

export type Session = PaymentSession | SubscriptionSession | ManagementSession | VendorSession;
export type SessionKind = Session['kind'];
export type SessionOf<K extends SessionKind> = Extract<Session, {kind: K}>;

export class Sessions {
  readonly #secrets: readonly [string, ...string[]];
  /** Sessions by their whole token. New secrets come with a new isolate, and therefore with an empty cache. */
  readonly #verified = new ExpiringCache<Session>({maxEntries: MAX_VERIFIED, maxAgeMs: VERIFIED_MS});

  /**
   * @param secrets - The first secret signs new sessions. Sessions that were signed with any of the secrets are
   * accepted.
   */
  constructor(secrets: readonly [string, ...string[]]) {
    this.#secrets = secrets;
  }

  async sign(session: Session): Promise<string> {
    const payload = utf8(JSON.stringify({...toClaims(session), aud: AUDIENCE}));
    const signed = `${HEADER}.${toBase64Url(payload)}`;
    // HS256 (RFC 7518, section 3.2).
    return `${signed}.${toBase64Url(await hmacBytes('SHA-256', this.#secrets[0], signed))}`;
  }

  /**
   * @throws {ApiError} `session_expired` for a genuine token that has expired, `session_kind` for a session whose kind
   * is not `kind`, `unauthorized` for any other token.
   */
  async verify<K extends SessionKind = 'payment'>(token: string, kind = 'payment' as K): Promise<SessionOf<K>> {
    const known = this.#verified.get(token);
    if (known) return requireKind(known, kind);
    const [header, payload = '', signature = ''] = token.split('.');
    if (header !== HEADER || !TOKEN.test(token)) throw unauthorized();
    for (const secret of this.#secrets)
      if (await isHmac(fromBase64(signature), secret, `${HEADER}.${payload}`)) {
        const session = toSession(readPayload(payload));
        this.#verified.set(token, session, expiryOf(session));
        return requireKind(session, kind);
      }
    throw unauthorized();
  }
}

/** The claims of a genuine token. */
function readPayload(payload: string): Payload {
  let claims: Payload | null;
  try {
    claims = JSON.parse(new TextDecoder().decode(fromBase64(payload))) as Payload | null;
  } catch (cause) {
    throw unauthorized(cause);
  }
  if (claims?.aud !== AUDIENCE) throw unauthorized();
  if (typeof claims.exp === 'number' && claims.exp * 1000 <= Date.now()) throw new ApiError('session_expired');
  return claims;
}

function toClaims(session: Session): Claims {
  if (session.kind !== 'payment') {
    const {expiresAt, ...claims} = session;
    return {...claims, exp: toSeconds(expiresAt)} as Claims;
  }
  const {terms, createUntil, readUntil, successUrl, failureUrl, ...common} = session;
  return {
    ...terms,
    ...common,
    create_until: createUntil,
    success_url: successUrl,
    failure_url: failureUrl,
    exp: toSeconds(readUntil),
  };
}

/** A payload that has a valid signature but an unknown shape was signed by a newer version of the Worker. */
function toSession(payload: Payload): Session {
  const {kind: claimedKind} = payload;
  if (!isSessionKind(claimedKind)) throw new ApiError('session_kind');
  const parsed = claimsOf[claimedKind]().safeParse(payload);
  if (!parsed.success) throw new ApiError('session_kind', {cause: parsed.error});
  const {exp, ...claims}: Claims = parsed.data;
  if (claims.kind !== 'payment') return {...claims, expiresAt: exp * 1000};
  const {
    kind,
    origin,
    offer,
    asks,
    create_until: createUntil,
    success_url: successUrl,
    failure_url: failureUrl,
    ...terms
  } = claims;
  return {kind, origin, terms, createUntil, readUntil: exp * 1000, offer, asks, successUrl, failureUrl};
}

function isSessionKind(kind: unknown): kind is SessionKind {
  return typeof kind === 'string' && Object.hasOwn(claimsOf, kind);
}

function expiryOf(session: Session): number {
  return session.kind === 'payment' ? session.readUntil : session.expiresAt;
}

function requireKind<K extends SessionKind>(session: Session, kind: K): SessionOf<K> {
  if (session.kind !== kind) throw new ApiError('session_kind');
  return session as SessionOf<K>;
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

function unauthorized(cause?: unknown): ApiError {
  return new ApiError('unauthorized', {cause});
}

/** What the shopper owes. The terms come from a session or the merchant's server, never from a page. */
export interface OrderTerms {
  readonly service: string;
  /** The merchant's reference of the order. */
  readonly order: string;
  readonly amount: Kurus;
  /** How many hours the shopper has to pay. */
  readonly hours: number;
  /** The offer that the terms come from; undefined if the merchant's server set them. */
  readonly offer?: string | undefined;
  /** What the offer said when the session began. Later changes of the offer change neither session nor order. */
  readonly title?: Localized | undefined;
  readonly seller?: Seller | undefined;
  /** Set for a bill, whose order everybody with its link opens; see `shownTo`. */
  readonly shared?: true | undefined;
}

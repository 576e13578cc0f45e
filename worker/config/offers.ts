/** The offers that pages may sell: the variables `OFFERS`, `OFFERS_2`, … */

import * as z from 'zod/mini';
import {AnyOffer, type Offer, PaymentOffer, SubscriptionOffer} from '../contract/offers.ts';
import {lazily} from '../lib/lazily.ts';
import {MISSING, validationMessage} from '../lib/validation-messages.ts';
import {Mistakes} from './mistakes.ts';
import {matchesOrigin, type OriginPattern} from './origins.ts';
import {tableOrJson} from './setting-schemas.ts';
import {usesOnlyBilling} from './settings.ts';

const Offers = lazily(() => tableOrJson(z.record(z.string(), z.unknown())));

const MAX_NAME_LENGTH = 64;

/** Whether a variable of this name contains offers. */
export const isOffersName = (name: string) => /^OFFERS(_\d+)?$/.test(name);

/** What pages cannot sell, because its configuration is wrong. */
export interface UnusableOffers {
  readonly names: ReadonlySet<string>;
  /** Variables that cannot be read, so that the names of their offers are unknown. */
  readonly variables: readonly string[];
  /** Why no payment page can be opened, although `PAYMENT_PAGE_SECRET` is set; null if there is no such reason. */
  readonly pages: string | null;
  /** One sentence for each mistake. The sentence begins with the path of the mistake. */
  readonly reasons: readonly string[];
}

type KnownServices = Readonly<Record<string, {readonly micropaymentId?: unknown}>>;

interface ParsedOffers {
  readonly offers: ReadonlyMap<string, Offer>;
  readonly unusable: UnusableOffers;
}

/**
 * Merges the offers of `OFFERS`, `OFFERS_2`, …: there may be several variables, because one variable can hold at most
 * 5 KB. If an offer is wrong, only this offer is left out, because a mistake in one offer must not stop the sale of
 * other offers. If two offers have the same name, both are left out, because it is unclear which price applies.
 * @param services - The value of `SERVICES`; undefined if it is invalid.
 * @param origins - The value of `ALLOWED_ORIGINS`; undefined if it is invalid.
 * @param mistakes - Receives `OFFERS` if none of these variables is set.
 */
export function parseOffers(
  env: Record<string, unknown>,
  services: KnownServices | undefined,
  origins: readonly OriginPattern[] | undefined,
  mistakes: Mistakes,
): ParsedOffers {
  const offers = new Map<string, Offer>();
  const pages = explainUnseenPages(env, services);
  const names = new Set<string>();
  const wrong = new Mistakes();
  const variables: string[] = [];
  const isBilled = (service: string) => !services || services[service]?.micropaymentId !== undefined;
  const bindings = Object.keys(env).filter(isOffersName);
  if (bindings.length === 0) mistakes.add('OFFERS', MISSING);
  for (const binding of bindings) {
    const table = Offers().safeParse(env[binding], {error: validationMessage});
    if (!table.success) {
      variables.push(binding);
      wrong.addIssues(table.error.issues, binding);
    }
    for (const [name, row] of Object.entries(table.data ?? {})) {
      const isTaken = offers.has(name) || names.has(name);
      const offer = isTaken ? null : parseOffer(row, services, wrong, [binding, name]);
      const interfaces =
        offer && (explainMissingInterfaces(offer, env, isBilled) ?? explainForeignPage(offer, origins));
      if (isTaken) wrong.add(binding, 'Another offer has the same name.', [name]);
      if (interfaces) wrong.add(binding, interfaces, [name]);
      if (offer && !interfaces) {
        offers.set(name, offer);
      } else {
        offers.delete(name);
        names.add(name);
      }
    }
  }
  const reasons = [...(pages === null ? [] : [`PAYMENT_PAGE_SECRET: ${pages}`]), ...wrong.reasons];
  return {offers, unusable: {names, variables, pages, reasons}};
}

const areSet = (env: Record<string, unknown>, ...names: readonly string[]) =>
  names.every((name) => env[name] !== undefined);

/** Only mobile billing shows the money of a payment page. A shopper must not pay where the merchant never learns of it. */
function explainUnseenPages(env: Record<string, unknown>, services: KnownServices | undefined): string | null {
  if (!areSet(env, 'PAYMENT_PAGE_URL', 'PAYMENT_PAGE_SECRET')) return null;
  if (!areSet(env, 'MICROPAYMENT_URL')) return 'Payment pages need MICROPAYMENT_URL, which shows their money.';
  const isBilled = !services || Object.values(services).some(({micropaymentId}) => micropaymentId !== undefined);
  return isBilled ? null : 'Payment pages need a micropaymentId in SERVICES, which shows their money.';
}

/** A shopper who has paid is led to no page but the merchant's. Null if the offer leads to none, or origins are wrong. */
function explainForeignPage(offer: Offer, origins: readonly OriginPattern[] | undefined): string | null {
  const address = offer.kind === 'payment' ? offer.after_payment : undefined;
  if (address === undefined || !origins || matchesOrigin(new URL(address).origin, origins)) return null;
  return 'ALLOWED_ORIGINS does not include the origin of `after_payment`.';
}

/**
 * Says which bindings are missing if no interface of the platform can sell the offer. Without this check, the shopper
 * would learn only after a tap that the offer cannot be bought.
 * @param isBilled - Whether mobile billing has the service.
 */
export function explainMissingInterfaces(
  offer: Offer,
  env: Record<string, unknown>,
  isBilled: (service: string) => boolean,
): string | null {
  if (offer.kind === 'subscription')
    return areSet(env, 'LANDING_URL', 'LANDING_AUTHORIZATION')
      ? null
      : 'A subscription needs LANDING_URL and LANDING_AUTHORIZATION.';
  // Unless a merchant uses only mobile billing, `PHS_URL` is required, and another check reports its absence.
  if (areSet(env, 'PHS_URL') || !usesOnlyBilling(env)) return null;
  const hasPages = areSet(env, 'PAYMENT_PAGE_URL', 'PAYMENT_PAGE_SECRET', 'MICROPAYMENT_URL');
  return hasPages && isBilled(offer.service)
    ? null
    : 'A payment needs PHS_URL, or PAYMENT_PAGE_URL, PAYMENT_PAGE_SECRET, MICROPAYMENT_URL and the micropaymentId of its service.';
}

/**
 * The schema of the offer's kind. A schema is built when it is first needed, because most shops need only one schema.
 */
function offerSchema(row: unknown): z.ZodMiniType<Offer> {
  const kind = typeof row === 'object' && row !== null && 'kind' in row ? row.kind : undefined;
  if (kind === 'payment') return PaymentOffer();
  return kind === 'subscription' ? SubscriptionOffer() : AnyOffer();
}

/**
 * Parses one offer.
 * @param wrong - Receives the mistakes of the offer.
 * @returns null if the offer is wrong.
 */
function parseOffer(
  row: unknown,
  services: Readonly<Record<string, unknown>> | undefined,
  wrong: Mistakes,
  [binding, name]: readonly [binding: string, name: string],
): Offer | null {
  const {data, error} = offerSchema(row).safeParse(row, {error: validationMessage});
  const reasons = wrong.reasons.length;
  wrong.addIssues(error?.issues ?? [], binding, name);
  if (name.length === 0 || name.length > MAX_NAME_LENGTH)
    wrong.add(binding, `The name of an offer has 1 to ${MAX_NAME_LENGTH} characters.`, [name]);
  if (data?.kind === 'payment' && services && !Object.hasOwn(services, data.service))
    wrong.add(binding, `SERVICES does not have the service "${data.service}".`, [name, 'service']);
  return data && wrong.reasons.length === reasons ? data : null;
}

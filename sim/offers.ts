/** The offers that the merchant's server makes, as it and the accountant note them. */

import type {Chance} from './chance.ts';
import {server} from './requests.ts';
import type {HttpRequest} from './stage/protocol.ts';
import {type Json, MINUTE_MS, toText} from './values.ts';

/** From when until when an offer may have had a price. */
type Price = {readonly kurus: number; readonly from: number; until: number};

/** For so long an isolate may use a price after it has changed. */
const WINDOW_MS = 5_000;
/** A change without the answer of a success may still be carried out for so long. */
const UNSURE_MS = 10 * MINUTE_MS;

export class OfferPrices {
  readonly #prices = new Map<string, readonly Price[]>();

  has(name: unknown): boolean {
    return this.#prices.has(idOf(name));
  }

  last(name: string): number {
    return this.#prices.get(idOf(name))?.at(-1)?.kurus ?? 0;
  }

  asked(id: string, kurus: number, now: number): void {
    this.#prices.set(id, [...(this.#prices.get(id) ?? []), {kurus, from: now, until: Infinity}]);
  }

  /** The Worker has said that the offer has this price. Until then, the price before may have stayed. */
  changed(id: string, kurus: number, now: number): void {
    for (const price of this.#prices.get(id) ?? []) if (price.kurus !== kurus) price.until = Math.min(price.until, now);
  }

  /** @param since - When a page first asked. */
  wasInForce(name: unknown, kurus: number, since: number): boolean {
    return (this.#prices.get(idOf(name)) ?? []).some((one) => one.kurus === kurus && one.until >= since - WINDOW_MS);
  }
}

/** The name of a bill has a secret after its id. */
const idOf = (name: unknown) => String(name).split('.')[0] ?? '';
export const isBill = (name: unknown): boolean => String(name).includes('.');

type Send = (request: HttpRequest, then: (answer: Json) => unknown) => void;

/** The merchant's server that makes offers and bills, and changes prices. */
export class Seller {
  /** What pages may name. */
  readonly names: string[] = [];
  readonly #prices: OfferPrices;
  readonly #readyAt = new Map<string, number>();
  #count = 0;

  constructor(prices: OfferPrices) {
    this.#prices = prices;
  }

  /** Makes an offer, or changes its price, unless an earlier change may still be carried out. Prices differ. */
  change(chance: Chance, now: number, send: Send): void {
    const id = chance.pick(['api-1', 'api-2']);
    if (now >= (this.#readyAt.get(id) ?? 0)) this.#put(id, {}, now, send);
  }

  makeBill(now: number, send: Send): void {
    const number = (this.#count += 1);
    this.#put(`bill-${number}`, {order: `B-${number}`}, now, send);
  }

  #put(id: string, more: object, now: number, send: Send): void {
    const number = (this.#count += 1);
    const kurus = 6_000 + number;
    this.#prices.asked(id, kurus, now);
    this.#readyAt.set(id, now + UNSURE_MS);
    const offer = {kind: 'payment', service: 'DEMO', amount: toText(kurus), title: {tr: 'Lamba', en: 'Lamp'}, ...more};
    send({...server(`offers/${id}`, offer, `offer-${number}`), method: 'PUT'}, ({name}) => {
      this.#readyAt.set(id, now);
      if (!this.names.includes(String(name))) this.names.push(String(name));
    });
  }
}

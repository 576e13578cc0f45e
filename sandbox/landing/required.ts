import {isMobileNumber, isOperator, landingStatusOf, type Stage} from '../billing/mobile-numbers.ts';
import {findProduct, type Product} from '../billing/products.ts';
import type {Parameters} from '../request.ts';
import {isStatus, Refusal} from './landing-statuses.ts';

/** The product whose landing page this is. */
export function requireProduct(parameters: Parameters): Product {
  const product = findProduct(Number(parameters.text('product')));
  if (!product) throw new Refusal('001');
  return product;
}

export interface Subscriber {
  readonly msisdn: string;
  readonly operator: number;
}

/** Number and operator, both well-formed. */
export function requireSubscriber(parameters: Parameters): Subscriber {
  const operator = Number(parameters.text('operator'));
  if (!isOperator(operator)) throw new Refusal('006');
  const msisdn = parameters.text('msisdn');
  if (!isMobileNumber(msisdn)) throw new Refusal('004');
  return {msisdn, operator};
}

/** Some numbers bring a status about (docs/sandbox.md). */
export function heedMagic({msisdn}: Subscriber, stage: Stage): void {
  const status = landingStatusOf(msisdn, stage);
  if (status !== undefined && isStatus(status) && status !== '000') throw new Refusal(status);
}

export function isWhole(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

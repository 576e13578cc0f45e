import {isMobileNumber, isOperator, landingStatusOf, type LandingStage} from '../billing/mobile-numbers.ts';
import {findProduct, type Product} from '../billing/products.ts';
import type {Parameters} from '../request.ts';

/** The values of the JSON field `status` and their descriptions (subscriptions 7.2). */
export const LANDING_STATUSES = {
  '400': 'Missing Parameter',
  '000': 'Request Successfully',
  '001': 'Landing Page Not Found',
  '002': 'Failed To Get Subscribed',
  '003': 'Pin Is Out Of Time',
  '004': 'Invalid Phone Number',
  '005': 'Internal System Error',
  '006': 'Invalid Operator',
  '007': 'Phone Number Is In Blacklist',
  '018': 'Billing cap reached, try again later',
  '019': 'Daily billing cap for this number reached',
  '020': 'Number already has an active subscription',
  '021': 'Landing in test mode',
  '025': 'Missing Parameter(s)',
  '026': 'Invalid Request',
  '027': 'Invalid Token',
  '028': 'Invalid Pin',
  '029': 'Invalid Authorization',
  '030': 'IP address not allowed',
  '031': 'Subscription not found',
  '032': 'Subscription has been already cancelled',
  '033': 'Subscription status is not available for cancellation',
} as const satisfies Record<string, string>;

export type LandingStatus = keyof typeof LANDING_STATUSES;

export function isLandingStatus(text: string): text is LandingStatus {
  return Object.hasOwn(LANDING_STATUSES, text);
}

/** Ends an operation with a status other than success. */
export class LandingRefusal extends Error {
  constructor(readonly status: Exclude<LandingStatus, '000'>) {
    super(LANDING_STATUSES[status]);
  }
}

/** The product of the landing page. */
export function requireProduct(parameters: Parameters): Product {
  const product = findProduct(Number(parameters.text('product')));
  if (!product) throw new LandingRefusal('001');
  return product;
}

export interface Subscriber {
  readonly msisdn: string;
  readonly operator: number;
}

/** Number and mobile operator, both well-formed. */
export function requireSubscriber(parameters: Parameters): Subscriber {
  const operator = Number(parameters.text('operator'));
  if (!isOperator(operator)) throw new LandingRefusal('006');
  const msisdn = parameters.text('msisdn');
  if (!isMobileNumber(msisdn)) throw new LandingRefusal('004');
  return {msisdn, operator};
}

/** Throws the status that a test number stands for, if it stands for one (docs/sandbox.md). */
export function rejectTestNumber({msisdn}: Subscriber, stage: LandingStage): void {
  const status = landingStatusOf(msisdn, stage);
  if (status !== undefined && isLandingStatus(status) && status !== '000') throw new LandingRefusal(status);
}

export function isWholeNumber(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

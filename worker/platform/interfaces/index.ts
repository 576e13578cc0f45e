import type {PaymentPageRecipe} from '../keys.ts';
import type {FamilyName} from '../operation.ts';
import type {Family} from './interface.ts';
import {landingFamily} from './landing.ts';
import {micropaymentFamily} from './micropayment.ts';
import {paymentPageFamily} from './payment-page.ts';
import {phsFamily} from './phs.ts';

/** The part of the configuration that says how the interfaces are called. */
interface InterfaceOptions {
  readonly phsUrl: string;
  readonly merchant: {readonly id: string};
  readonly micropayment: {readonly baseUrl: string; readonly headers: Readonly<Record<string, string>>} | null;
  readonly paymentPage: {readonly baseUrl: string; readonly secret: string; readonly recipe: PaymentPageRecipe} | null;
  readonly landing: {readonly baseUrl: string; readonly authorization: string} | null;
}

/** The interfaces this merchant has: `/phs` always, the others where their bindings are set. */
export function configuredFamilies({
  phsUrl,
  merchant,
  micropayment,
  paymentPage,
  landing,
}: InterfaceOptions): Partial<Record<FamilyName, Family>> {
  const merchantId = merchant.id;
  return {
    phs: phsFamily({baseUrl: phsUrl, merchantId}),
    ...(micropayment && {micropayment: micropaymentFamily({...micropayment, merchantId})}),
    ...(paymentPage && {payment_page: paymentPageFamily({...paymentPage, merchantId})}),
    ...(landing && {landing: landingFamily({...landing, merchantId})}),
  };
}

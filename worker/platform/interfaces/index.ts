import type {PaymentPageRecipe} from '../keys.ts';
import type {InterfaceName} from '../operation.ts';
import type {PlatformInterface} from './interface.ts';
import {landingInterface} from './landing.ts';
import {micropaymentInterface} from './micropayment.ts';
import {paymentPageInterface} from './payment-page.ts';
import {phsInterface} from './phs.ts';

/** The part of the configuration that says how the interfaces are called. */
interface InterfaceOptions {
  readonly phsUrl: string;
  readonly merchant: {readonly id: string};
  readonly micropayment: {readonly baseUrl: string; readonly headers: Readonly<Record<string, string>>} | null;
  readonly paymentPage: {readonly baseUrl: string; readonly secret: string; readonly recipe: PaymentPageRecipe} | null;
  readonly landing: {readonly baseUrl: string; readonly authorization: string} | null;
}

/** The interfaces this merchant has: `/phs` always, the others where their bindings are set. */
export function configuredInterfaces({
  phsUrl,
  merchant,
  micropayment,
  paymentPage,
  landing,
}: InterfaceOptions): Partial<Record<InterfaceName, PlatformInterface>> {
  const merchantId = merchant.id;
  return {
    phs: phsInterface({baseUrl: phsUrl, merchantId}),
    ...(micropayment && {micropayment: micropaymentInterface({...micropayment, merchantId})}),
    ...(paymentPage && {payment_page: paymentPageInterface({...paymentPage, merchantId})}),
    ...(landing && {landing: landingInterface({...landing, merchantId})}),
  };
}

import type {Config} from '../../config.ts';
import type {FamilyName} from '../operation.ts';
import type {Family} from './family.ts';
import {landingFamily} from './landing.ts';
import {micropaymentFamily} from './micropayment.ts';
import {paymentPageFamily} from './payment-page.ts';
import {phsFamily} from './phs.ts';

/** The interfaces this merchant has: `/phs` always, the others where their bindings are set. */
export function configuredFamilies({
  phsUrl,
  merchant,
  micropayment,
  paymentPage,
  landing,
}: Config): Partial<Record<FamilyName, Family>> {
  const merchantId = merchant.id;
  return {
    phs: phsFamily({baseUrl: phsUrl, merchantId}),
    ...(micropayment && {micropayment: micropaymentFamily({...micropayment, merchantId})}),
    ...(paymentPage && {payment_page: paymentPageFamily({...paymentPage, merchantId})}),
    ...(landing && {landing: landingFamily({...landing, merchantId})}),
  };
}

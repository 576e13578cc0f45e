/** Checks what the configuration allows pages to sell. */

import type {Config} from '../config/config.ts';
import {failed, ok, type OwnCheck, ringing, warning} from './check.ts';

export const configuration: OwnCheck<Config> = {
  read: ({config}) => config,

  find(_fact, {config: {phsUrl, micropayment, paymentPage, landing, services, unusableOffers}}) {
    if (unusableOffers.reasons.length > 0)
      return failed(
        `Pages cannot sell this. ${unusableOffers.reasons.join(' ')}`,
        'Correct this in the configuration, and deploy it. Everything else can be sold.',
      );
    const absent = [
      ...(phsUrl === null ? ['orders and transfers (PHS_URL, MERCHANT_KEY)'] : []),
      ...(micropayment ? [] : ['mobile billing (MICROPAYMENT_URL)']),
      ...(paymentPage ? [] : ['the payment page (PAYMENT_PAGE_URL, PAYMENT_PAGE_SECRET)']),
      ...(landing ? [] : ['landing pages (LANDING_URL, LANDING_AUTHORIZATION)']),
    ];
    const withoutId = micropayment
      ? [...services].filter(([, {micropaymentId}]) => micropaymentId === null).map(([code]) => code)
      : [];
    if (withoutId.length > 0) {
      return warning(
        `Services without a mobile billing id: ${withoutId.join(', ')}.`,
        'If mobile billing charges for these services, give them a micropaymentId in SERVICES.',
      );
    }
    return ok(absent.length > 0 ? `Complete, but without ${absent.join(', ')}.` : 'Complete.');
  },

  /** Says which offers cannot be sold. The doctor says why, to callers with the merchant API key. */
  problems({unusableOffers: {names, variables, pages}}) {
    const wrong = [
      ...names,
      ...variables.map((variable) => `all offers of ${variable}`),
      ...(pages === null ? [] : ['anything on payment pages']),
    ];
    return wrong.length === 0
      ? []
      : [
          ringing(
            `Pages cannot sell ${wrong.join(', ')}, because the configuration is wrong. The doctor says what to correct.`,
          ),
        ];
  },
};

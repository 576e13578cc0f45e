/** The configuration of the Workers and sandboxes in fault tests. */

import {declaredClasses} from '../../support/declared-classes.ts';
import type {Bundles} from './bundles.ts';
import type {WorkerPlan} from './workerd.ts';

/** The origin of the page that sends all requests. */
export const ORIGIN = 'https://shop.example';

/** @param platformUrl - The origin at which the Worker calls the platform: usually a fault proxy. */
export function planWorker(
  name: string,
  {worker}: Bundles,
  platformUrl: string,
  vars: Record<string, string> = {},
): WorkerPlan {
  return {
    name,
    module: worker,
    classes: declaredClasses('wrangler.toml'),
    // These tests load no scripts.
    services: {ASSETS: 'internet'},
    vars: {
      PHS_URL: `${platformUrl}/phs`,
      MERCHANT_ID: '123',
      MERCHANT_IP: '127.0.0.1',
      MERCHANT_KEY: 'sandbox-merchant-key',
      SERVICES: '{"DEMO":{}}',
      OFFERS: JSON.stringify({
        gold: {kind: 'payment', service: 'DEMO', amount: '149.90', title: {tr: 'Lamba', en: 'Lamp'}},
      }),
      ALLOWED_ORIGINS: ORIGIN,
      SESSION_SECRET: 'sandbox-session-secret-that-is-long-enough',
      LIMITS: '{"address_sessions_per_minute":null,"service_orders_per_minute":null}',
      ...vars,
    },
  };
}

export function planSandbox(
  name: string,
  {sandbox}: Pick<Bundles, 'sandbox'>,
  vars: Record<string, string> = {},
): WorkerPlan {
  return {
    name,
    module: sandbox,
    classes: declaredClasses('sandbox/wrangler.toml'),
    vars: {
      MERCHANT_ID: '123',
      MERCHANT_IP: '127.0.0.1',
      MERCHANT_KEY: 'sandbox-merchant-key',
      MERCHANT_PRIVATE_KEY: 'sandbox-merchant-private-key',
      SERVICE_PRIVATE_KEYS: '{"DEMO":"sandbox-service-private-key"}',
      LANDING_AUTHORIZATION: 'sandbox-landing-authorization',
      PAYMENT_PAGE_SECRET: 'sandbox-payment-page-secret',
      ...vars,
    },
  };
}

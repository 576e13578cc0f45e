/** Starts the sweep of subscriptions, which then continues by itself. */

import {waitUntil} from 'cloudflare:workers';
import type {Config} from '../../config/config.ts';
import {describeError, log} from '../../lib/log.ts';
import type {RouteContext} from '../route.ts';

/** The configurations for which this isolate has started the sweep. */
const started = new WeakSet<Config>();

/**
 * Starts the sweep when the merchant's server first uses mobile billing, or reads events, in this isolate. The first
 * subscription that begins on a page starts the sweep, too. If the start fails, the next request tries again.
 */
export function startSubscriptionSweep({config, objects}: RouteContext): void {
  if (config.subscriptionSweepMs === null || started.has(config)) return;
  started.add(config);
  const services = [...config.billedServices.values()];
  const start = () => Promise.all(services.map((service) => objects.service(service).startSubscriptionSweep(service)));
  waitUntil(
    start().catch((error: unknown) => {
      started.delete(config);
      log('warn', 'delivery_failed', {error: describeError(error)});
    }),
  );
}

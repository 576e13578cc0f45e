/**
 * The platform's landing interface: PINs, subscriptions, number tokens and activities (`docs/spec/subscriptions.md`,
 * 4.C).
 */

import type {Config} from '../../config/config.ts';
import {type Kurus, parseAmount} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import {PIN_LIFETIME_MS} from '../../objects/subscriber/sent-pins.ts';
import {PlatformError} from '../../platform/failure.ts';
import {timeFields} from '../../platform/habits.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import {stateOf, numberOrText} from '../../platform/statuses.ts';
import {runCommand} from '../run-command.ts';
import {commandOf, type Handlers} from './handler.ts';

/** How long a request waits for the id of its subscription. */
const ID_TIMEOUT_MS = 2_000;

/** The price of a product; null if no offer has this product. */
function findPrice(product: number, {offers}: Config): Kurus | null {
  for (const offer of offers.values())
    if (offer.kind === 'subscription' && offer.product === product) return parseAmount(offer.price);
  return null;
}

export const landingHandlers = {
  async generatePin({user_ip: userip, ...input}, {platform}) {
    await platform.call('generatePin', {...input, userip});
    return {expires_at: formatInstant(Date.now() + PIN_LIFETIME_MS)};
  },

  async requestSubscription({product, user_ip: userip, tracking_id, ...by}, {config, objects}) {
    const flow = {product, userip, tracking_id};
    const {number_token: token, ...number} = by;
    const subscriber = await objects.subscriber('pin' in number ? number.msisdn : `token ${token}`);
    const result = await subscriber.subscribeUnlimited(
      {...flow, ...number, ...(token !== undefined && {token})} as OperationInput<'subscriptionRequest'>,
      {price: findPrice(product, config), consent: null, waitForIdMs: ID_TIMEOUT_MS},
    );
    if ('failure' in result) throw new PlatformError('subscriptionRequest', result.failure);
    const found = 'subscribed' in result ? result.found : null;
    return {state: 'subscribed', service: found?.service ?? null, subscription_id: found?.id ?? null};
  },

  async cancelLandingSubscription({subscription: id}, context) {
    const {config, objects} = context;
    const request = {service: null, subscription: id};
    const {subscription} = await runCommand(objects, 'cancelLandingSubscription', request, commandOf(context));
    const {subscription_date, renewal_date, cancellation_date, ...rest} = subscription;
    return {
      ...rest,
      ...timeFields('subscription_date', subscription_date),
      ...timeFields('renewal_date', renewal_date),
      ...timeFields('cancellation_date', cancellation_date),
      state: stateOf('subscription', subscription.status, config.statuses),
    };
  },

  async getNumber({number_token: token}, {platform}) {
    const {msisdn, operator} = await platform.call('numberGet', {token});
    return {msisdn, operator: numberOrText(operator)};
  },

  async addActivity({user_ip: userip, ...activity}, {platform}) {
    await platform.call(
      'userActivity',
      activity.type === 'visit' ? {...activity, userip: userip ?? ''} : {...activity, userip},
    );
    return {state: 'recorded'};
  },
} satisfies Partial<Handlers>;

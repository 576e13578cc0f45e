/** Cancels a subscription in mobile billing (`docs/spec/subscriptions.md`, 4.A) or in the landing interface (4.C). */

import {withMaskedMsisdn} from '../../contract/readers/mobile-number.ts';
import type {LandingSubscriptionRecord} from '../../platform/operations/landing.ts';
import type {SimpleSubscriptionRecord} from '../../platform/operations/micropayment.ts';
import {stateOf} from '../../platform/statuses.ts';
import {describeSubscription, EMPTY_SUBSCRIPTION} from '../billing/billing-events.ts';
import {defineCommand, type CommandContext} from './command.ts';

interface Request {
  readonly service: string;
  /** The service's id in mobile billing. */
  readonly serviceId: string;
  readonly subscription: string;
}

interface Before {
  readonly status: string | null;
}

export const cancelSubscriptionCommand = defineCommand<
  Request,
  Request,
  Before,
  {readonly subscription: SimpleSubscriptionRecord}
>({
  operation: 'subscriptionCancel',
  toStored: (request) => request,
  subjectOf: ({subscription}) => subscription,

  async readBefore(stored, context) {
    const {status} = await read(stored, context);
    const state = stateOf('subscription', status, context.config.statuses);
    return state === 'cancelled' ? {refused: 'already_cancelled'} : {before: {status}};
  },

  async send({serviceId, subscription: id}, {platform}, options) {
    const {subscription} = await platform.call('subscriptionCancel', {serviceId, subscriptionId: id}, options);
    return {subscription: subscription ?? {...EMPTY_SUBSCRIPTION, id, status: 'cancelled'}};
  },

  async verifyAfter(stored, before, context) {
    const subscription = await read(stored, context);
    const state = stateOf('subscription', subscription.status, context.config.statuses);
    if (state === 'cancelled') return {done: {subscription}};
    return state !== 'unknown' || subscription.status === before.status ? 'notFound' : 'ambiguous';
  },

  toStoredResult: ({subscription}) => ({subscription: withMaskedMsisdn(subscription)}),

  /** After the cancellation, no page may show the subscription as active. */
  async onDone({service, subscription}, _result, {objects}) {
    await (await objects.shownSubscription(service, subscription)).forgetDetails();
  },

  events: ({service}, {subscription}, {config}) => [
    {
      type: 'subscription.cancelled',
      key: [service, subscription.id].join('\n'),
      at: Date.now(),
      data: describeSubscription(subscription, service, config),
    },
  ],
});

async function read(
  {serviceId, subscription: id}: Request,
  {platform}: CommandContext,
): Promise<SimpleSubscriptionRecord> {
  const {subscription} = await platform.call('subscriptionGet', {serviceId, subscriptionId: id}, {isOwn: true});
  const {lastTransaction: _last, lastSuccessfulTransaction: _lastSuccessful, ...record} = subscription;
  return record;
}

interface LandingRequest {
  /** The service's code. It may be null, because the landing interface needs only the subscription's id. */
  readonly service: string | null;
  readonly subscription: string;
}

/** The platform's status for a subscription that is already cancelled (`docs/spec/subscriptions.md`, 7.2). */
const CANCELLED_ALREADY = '032';

export const cancelLandingSubscriptionCommand = defineCommand<
  LandingRequest,
  LandingRequest,
  object,
  {readonly subscription: LandingSubscriptionRecord}
>({
  operation: 'landingSubscriptionCancel',
  toStored: (request) => request,
  subjectOf: ({subscription}) => subscription,

  /**
   * Reads nothing, because the landing interface cannot show a subscription. If the subscription is already cancelled,
   * the platform refuses the command.
   */
  readBefore: () => Promise.resolve({before: {}}),

  async send({subscription: id}, {platform}, options) {
    const {subscription} = await platform.call('landingSubscriptionCancel', {subscription: id}, options);
    return {subscription: subscription ?? {...UNKNOWN, id}};
  },

  verifyAfter: () => Promise.resolve('unverifiable'),

  impliedResult: ({subscription: id}, {outcome, ...answer}) =>
    outcome === 'refused' && 'status' in answer && answer.status === CANCELLED_ALREADY
      ? {subscription: {...UNKNOWN, id}}
      : null,

  events: ({service}, {subscription}, {config}) => [
    {
      type: 'subscription.cancelled',
      key: [service, subscription.id].join('\n'),
      at: Date.now(),
      data: describeSubscription(toBillingRecord(subscription), service, config),
    },
  ],
});

const UNKNOWN = {
  product: null,
  status: 'cancelled',
  subscription_date: null,
  renewal_date: null,
  cancellation_date: null,
  cancellation_source: null,
};

/** Converts a record of the landing interface to a record of mobile billing. */
export function toBillingRecord({
  id,
  status,
  subscription_date,
  renewal_date,
  cancellation_date,
}: LandingSubscriptionRecord): SimpleSubscriptionRecord {
  return {
    ...EMPTY_SUBSCRIPTION,
    id,
    status: status ?? 'cancelled',
    subscriptionDate: subscription_date,
    renewalDate: renewal_date,
    cancellationDate: cancellation_date,
  };
}

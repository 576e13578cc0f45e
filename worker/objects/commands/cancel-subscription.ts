/** The end of a subscription of mobile billing (subscriptions 4.A). */

import type {SimpleSubscriptionRecord} from '../../platform/operations/micropayment.ts';
import {subscriptionState} from '../../platform/statuses.ts';
import {describeSubscription, EMPTY_SUBSCRIPTION} from '../billing/billing-events.ts';
import {defineCommand, type CommandContext} from './command.ts';

interface Request {
  readonly service: string;
  /** Its number in mobile billing. */
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
    return subscriptionState(status) === 'cancelled' ? {refused: 'already_cancelled'} : {before: {status}};
  },

  async send({serviceId, subscription: id}, {platform}, options) {
    const {subscription} = await platform.call('subscriptionCancel', {serviceId, subscriptionId: id}, options);
    return {subscription: subscription ?? {...EMPTY_SUBSCRIPTION, id, status: 'cancelled'}};
  },

  async verifyAfter(stored, before, context) {
    const subscription = await read(stored, context);
    const state = subscriptionState(subscription.status);
    if (state === 'cancelled') return {done: {subscription}};
    return state !== 'unknown' || subscription.status === before.status ? 'notFound' : 'ambiguous';
  },

  events: ({service}, {subscription}) => [
    {
      type: 'subscription.cancelled',
      key: [service, subscription.id].join('\n'),
      at: Date.now(),
      data: describeSubscription(subscription, service),
    },
  ],
});

async function read(
  {serviceId, subscription: id}: Request,
  {platform}: CommandContext,
): Promise<SimpleSubscriptionRecord> {
  const {subscription} = await platform.call('subscriptionGet', {serviceId, subscriptionId: id});
  const {lastTransaction: _last, lastSuccessfulTransaction: _lastSuccessful, ...record} = subscription;
  return record;
}

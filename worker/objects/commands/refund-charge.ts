/** Refunds a charge of mobile billing (`docs/spec/subscriptions.md`, 4.A). */

import {withMaskedMsisdn} from '../../contract/readers/mobile-number.ts';
import type {ChargeRecord} from '../../platform/operations/micropayment.ts';
import {stateOf} from '../../platform/statuses.ts';
import {toPaidCharge} from '../../platform/to-payment.ts';
import {describeCharge} from '../billing/billing-events.ts';
import {deliverCharge} from '../billing/charge-delivery.ts';
import {defineCommand, type CommandContext} from './command.ts';

interface Request {
  readonly service: string;
  /** The service's id in mobile billing. */
  readonly serviceId: string;
  readonly charge: string;
}

interface Before {
  readonly status: string | null;
}

const REFUNDED: ReadonlySet<string> = new Set(['refunded', 'refund_in_progress']);

export const refundChargeCommand = defineCommand<Request, Request, Before, {readonly charge: ChargeRecord}>({
  operation: 'chargeRefund',
  toStored: (request) => request,
  subjectOf: ({charge}) => charge,

  async readBefore(stored, context) {
    const charge = await read(stored, context);
    return REFUNDED.has(stateIn(charge, context)) ? {refused: 'already_refunded'} : {before: {status: charge.status}};
  },

  async send({serviceId, charge: id}, {platform}, options) {
    const {transaction} = await platform.call('chargeRefund', {serviceId, transactionId: id}, options);
    // The record may be that of the refund, or of the subscription.
    return {charge: transaction?.id === id ? transaction : {...UNKNOWN, id}};
  },

  async verifyAfter(stored, before, context) {
    const charge = await read(stored, context);
    const state = stateIn(charge, context);
    if (REFUNDED.has(state)) return {done: {charge}};
    return state !== 'unknown' || charge.status === before.status ? {notDone: {charge}} : 'ambiguous';
  },

  isUnderway: ({charge}, context) => stateIn(charge, context) === 'refund_in_progress',

  toStoredResult: ({charge}) => ({charge: withMaskedMsisdn(charge)}),

  /** Hands the refunded charge to its order, which then updates its open pages, or to the books. */
  async onDone({service}, {charge: record}, {config, objects}) {
    const charge = toPaidCharge(record, config.statuses, Date.now());
    if (charge && record.referenceCode) await deliverCharge(objects, service, record.referenceCode, charge);
  },

  events: ({service}, {charge}, {config}) => [
    {
      type: 'charge.changed',
      key: [service, charge.id, charge.status].join('\n'),
      at: Date.now(),
      data: describeCharge(charge, service, config),
    },
  ],
});

const UNKNOWN = {
  service: null,
  status: null,
  msisdn: null,
  operator: null,
  amount: null,
  error: null,
  errorDetail: null,
  transactionDate: null,
  referenceCode: null,
  subscriptionId: null,
};

async function read({serviceId, charge}: Request, {platform}: CommandContext): Promise<ChargeRecord> {
  const {transaction} = await platform.call('chargeGet', {serviceId, transactionId: charge}, {isOwn: true});
  // `chargeGet` returns these fields; the result of a refund does not have them.
  const {item: _item, refundDate: _refundDate, subscription: _subscription, ...record} = transaction;
  return record;
}

function stateIn({status}: ChargeRecord, {config}: CommandContext): string {
  return stateOf('charge', status, config.statuses);
}

/** A refund of a charge of mobile billing (subscriptions 4.A). */

import type {ChargeRecord} from '../../platform/operations/micropayment.ts';
import {stateOf} from '../../platform/statuses.ts';
import {toCharge} from '../../platform/to-payment.ts';
import {describeCharge} from '../billing/billing-events.ts';
import {deed, type DeedContext} from './command.ts';

interface Request {
  readonly service: string;
  /** Its number in mobile billing. */
  readonly serviceId: string;
  readonly charge: string;
}

interface Before {
  readonly status: string | null;
}

const REFUNDED: ReadonlySet<string> = new Set(['refunded', 'refund_in_progress']);

export const refundCharge = deed<Request, Request, Before, {readonly charge: ChargeRecord}>({
  operation: 'chargeRefund',
  keep: (request) => request,
  subjectOf: ({charge}) => charge,

  async look(kept, context) {
    const charge = await read(kept, context);
    return REFUNDED.has(stateIn(charge, context)) ? {refused: 'already_refunded'} : {before: {status: charge.status}};
  },

  async send({serviceId, charge: id}, {platform}, calling) {
    const {transaction} = await platform.call('chargeRefund', {serviceId, transactionId: id}, calling);
    return {charge: transaction ?? {...UNKNOWN, id}};
  },

  async readBack(kept, before, context) {
    const charge = await read(kept, context);
    const state = stateIn(charge, context);
    if (REFUNDED.has(state)) return {done: {charge}};
    return state !== 'unknown' || charge.status === before.status ? 'absent' : 'unclear';
  },

  /** Open pages of the order that was paid with it show it. */
  async tell({service}, {charge: record}, {config, objects}) {
    const charge = toCharge(record, config.statuses, Date.now());
    if (charge && record.referenceCode) await objects.order(service, record.referenceCode).charged(charge, Date.now());
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

async function read({serviceId, charge}: Request, {platform}: DeedContext): Promise<ChargeRecord> {
  const {transaction} = await platform.call('chargeGet', {serviceId, transactionId: charge});
  // What belongs to the detail alone is none of a refund's business.
  const {item: _item, refundDate: _refundDate, subscription: _subscription, ...record} = transaction;
  return record;
}

function stateIn({status}: ChargeRecord, {config}: DeedContext): string {
  return stateOf('charge', status, config.statuses);
}

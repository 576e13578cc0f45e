import type {Context} from '../context.ts';
import {CHARGE_STATUS} from '../records/charge-statuses.ts';
import type {Charge} from '../records/charges.ts';
import type {Answer} from '../visit.ts';
import {toChargeDetail} from './charge-detail.ts';
import {toChargeFields} from './charge-fields.ts';
import type {Target} from './envelope.ts';
import {Failure} from './errors.ts';

/** /transaction/detail (subscriptions 4.A), under the key of the sample. */
export function getTransaction(target: Target, context: Context): Answer {
  const charge = requireCharge(target, context);
  return {transaction: toChargeDetail(charge, context.subscriptions.find(charge.subscriptionId))};
}

/** /transaction/refund (subscriptions 4.A), under the key of the definition. The money is back at once. */
export function refundTransaction(target: Target, context: Context): Answer {
  const charge = requireCharge(target, context);
  if (charge.status === CHARGE_STATUS.refunded) throw new Failure('API_ERR_3005');
  if (charge.status !== CHARGE_STATUS.success)
    throw new Failure('API_ERR_3006', {detail: `Current status: ${charge.status}`});
  return {subscription: toChargeFields(context.billing.refund(charge))};
}

function requireCharge({serviceId, id}: Target, {charges}: Context): Charge {
  const charge = charges.find(Number(id));
  if (charge?.serviceId !== serviceId) throw new Failure('API_ERR_3001');
  return charge;
}

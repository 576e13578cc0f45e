/** A charge as it stands in searches and in subscriptions. */
import * as z from 'zod';
import {Code, Money, Said, State, Status, Time} from './fields.ts';

export const charge = {
  id: z.string(),
  service: Said.meta({description: 'Service code; the numeric id where no service of ours has it.'}),
  service_id: Said,
  status: Status,
  state: State,
  msisdn: Said,
  operator: Code,
  amount: Money,
  error: Said,
  error_detail: Said.meta({description: '`<code>|<text>`.'}),
  transaction_date: Time,
  reference: Said,
  subscription_id: Said,
};

export const chargeExample = {
  id: '31001', service: 'DEMO', service_id: '1', status: 3, state: 'successful', msisdn: '532***4567', operator: 1, amount: '12.00', error: null,
  error_detail: null, transaction_date: '2026-11-21T15:42:00+03:00', reference: null, subscription_id: '4001',
};

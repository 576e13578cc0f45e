/** An order whose goods were supplied (orders 4.3). */

import {stateOf} from '../../platform/statuses.ts';
import {defineCommand, type CommandContext} from './command.ts';

interface Request {
  readonly service: string;
  readonly order: string;
}

interface Before {
  /** Transactions that waited for the merchant's word. */
  readonly waiting: readonly string[];
}

const WAITING = 'awaiting_approval';

export const completeOrderCommand = defineCommand<Request, Request, Before, object>({
  operation: 'orderComplete',
  toStored: (request) => request,
  subjectOf: ({order}) => order,

  async readBefore({service, order}, {objects}) {
    const {completed, arrivals} = await objects.order(service, order).snapshot();
    return completed
      ? {done: {}}
      : {before: {waiting: arrivals.filter(({state}) => state === WAITING).map(({id}) => id)}};
  },

  async send({service, order}, {platform}, options) {
    await platform.call('orderComplete', {code: service, order}, options);
    return {};
  },

  /** Nothing at the platform says that an order is completed, but money that waited for it and does no longer. */
  async verifyAfter(_stored, {waiting: [id]}, context) {
    if (id === undefined) return 'unverifiable';
    const state = await stateOfTransaction(id, context);
    if (state === 'successful') return {done: {}};
    return state === WAITING ? 'notFound' : 'ambiguous';
  },

  /** Open pages of the order show it, and it tells the merchant. */
  async onDone({service, order}, _result, {objects}) {
    await objects.order(service, order).markCompleted();
  },
});

async function stateOfTransaction(id: string, {platform, config}: CommandContext): Promise<string> {
  const {transaction} = await platform.call('transactionGet', {id});
  return stateOf('transaction', transaction.status, config.statuses);
}

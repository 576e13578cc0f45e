/** Reports to the platform that an order's goods were supplied (`docs/spec/orders.md`, 4.3). */

import {stateOf} from '../../platform/statuses.ts';
import {defineCommand, type CommandContext} from './command.ts';

interface Request {
  readonly service: string;
  readonly order: string;
}

interface Before {
  /** Ids of the transactions that awaited the merchant's approval before the command. */
  readonly waiting: readonly string[];
}

const WAITING = 'awaiting_approval';

export const completeOrderCommand = defineCommand<Request, Request, Before, object>({
  operation: 'orderComplete',
  toStored: (request) => request,
  subjectOf: ({order}) => order,

  async readBefore({service, order}, {objects}) {
    const {completedAt = null, money = []} = (await objects.order(service, order).details()) ?? {};
    return completedAt === null
      ? {before: {waiting: money.filter(({state}) => state === WAITING).map(({id}) => id)}}
      : {done: {}};
  },

  async send({service, order}, {platform}, options) {
    await platform.call('orderComplete', {code: service, order}, options);
    return {};
  },

  /**
   * The platform does not show whether an order is complete, only whether its money still awaits the merchant's
   * approval.
   */
  async verifyAfter(_stored, {waiting: [id]}, context) {
    if (id === undefined) return 'unverifiable';
    const state = await stateOfTransaction(id, context);
    if (state === 'successful') return {done: {}};
    return state === WAITING ? 'notFound' : 'ambiguous';
  },

  /** Notifies the order, which then updates its open pages and reports an event. */
  async onDone({service, order}, _result, {objects}, askedBy) {
    await objects.order(service, order).markCompleted(askedBy);
  },
});

async function stateOfTransaction(id: string, {platform, config}: CommandContext): Promise<string> {
  const {transaction} = await platform.call('transactionGet', {id});
  return stateOf('transaction', transaction.status, config.statuses);
}

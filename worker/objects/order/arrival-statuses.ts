/** Asks the platform what became of the money that arrived: no list of its shows that. */

import type {Context} from '../../context.ts';
import {failureOf, isBroken} from '../../platform/failure.ts';
import {stateOf} from '../../platform/statuses.ts';
import {amountOf} from '../../platform/to-payment.ts';
import type {OrderStore} from './order-store.ts';

/** Pauses between questions, the last one again and again until the order closes. */
const STATUS_CHECK_DELAYS_MS = [30_000, 2 * 60_000, 10 * 60_000, 60 * 60_000, 6 * 60 * 60_000];
const STATUS_CHECK_MAX_DELAY_MS = 6 * 60 * 60_000;

/** Asks for the status of all that arrived and plans the next time. False where the platform fails: what was not read is asked for again. */
export async function askStatuses(
  store: OrderStore,
  context: () => Pick<Context, 'platform' | 'config'>,
): Promise<boolean> {
  const asked = store.record()?.statusAsked ?? 0;
  const statusDueAt = Date.now() + (STATUS_CHECK_DELAYS_MS[asked] ?? STATUS_CHECK_MAX_DELAY_MS);
  // First of all: a question that is cut off is repeated, and not at once.
  store.update({statusDueAt});
  if (!(await readStatuses(store, context()))) return false;
  // Money that came in the meantime has asked for a turn of its own.
  if (store.record()?.statusDueAt === statusDueAt) store.update({statusAsked: asked + 1});
  return true;
}

async function readStatuses(
  store: OrderStore,
  {platform, config}: Pick<Context, 'platform' | 'config'>,
): Promise<boolean> {
  for (const {id} of store.arrivals()) {
    try {
      const {transaction} = await platform.call('transactionGet', {id});
      store.learn(id, {
        state: stateOf('transaction', transaction.status, config.statuses),
        amount: amountOf(transaction),
      });
    } catch (error) {
      const failure = failureOf(error);
      if (isBroken(failure) || failure.outcome === 'unsent') return false;
    }
  }
  return true;
}

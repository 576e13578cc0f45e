/**
 * Changes of an order's amount or split at the platform, one at a time. What is sent is stored before, because the
 * contract has no way to read an amount: after a lost answer, the same change is sent again until the platform answers.
 * A change that the platform answers meanwhile is sent again too, because the earlier one may reach the platform later.
 */

import type {Semaphore} from '../../lib/async.ts';
import {MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {formatAmount, parseAmount} from '../../lib/money.ts';
import {nextFailures} from '../../lib/retry.ts';
import type {PlatformClient} from '../../platform/client.ts';
import {isBroken, isUnsent, PlatformError, type PlatformFailure} from '../../platform/failure.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import {withCall} from './order-calls.ts';
import {amended, firstCode, isForeign, withUnclearAmount} from './order-code-changes.ts';
import {isPlatformTrouble} from './order-code-requests.ts';
import type {OrderCode} from './order-code.ts';
import type {OrderAccess} from './order-effects.ts';
import type {SentChange} from './order-parts.ts';
import {type OrderRecord, withRecord} from './order-state.ts';

export type ChangeResult =
  | {readonly code: string}
  | {readonly failure: PlatformFailure; readonly operation: string}
  /** Another system created the order. */
  | {readonly foreign: true};

/** How often a change is sent again. Its order takes no transfers meanwhile, for about five minutes. */
const MAX_REPEATS = 5;
/** A change that has run this long was interrupted, so nobody knows its outcome. */
const LOST_AFTER_MS = 30 * SECOND_MS;
const RETRY = {firstMs: 10 * SECOND_MS, maxMs: 15 * MINUTE_MS};

export class OrderChanges {
  constructor(
    private readonly order: OrderAccess,
    private readonly turn: Semaphore,
    private readonly code: OrderCode,
  ) {}

  /** Changes the order for the merchant's server, after the changes and requests for its code that came before. */
  async make(input: OperationInput<'orderCodeUpdate'>, by: string): Promise<ChangeResult> {
    return this.turn.run(() => this.#make(input, by));
  }

  async #make(input: OperationInput<'orderCodeUpdate'>, by: string): Promise<ChangeResult> {
    await this.code.settle();
    if (isForeign(this.order.state())) return {foreign: true};
    // An error of the settings is thrown before anything is stored, because nothing is sent.
    const {platform} = this.order.services();
    const {change: last} = this.order.state().record ?? {};
    const {amount, payout, sub_merchant_id: id, fee, extra} = input;
    const part = {amount: parseAmount(amount) ?? 0, payout, subMerchantId: id === undefined ? id : String(id), fee};
    const retry = {failures: 0, retryAt: Date.now() + LOST_AFTER_MS};
    const change: SentChange = {part, by, retry, ...(extra && {unrepeatable: true})};
    // An earlier change without an answer may still be the last one that the platform made. Until it is answered, the larger
    // amount counts, also if this one is refused: otherwise each refusal would be told as two changes of the state.
    await this.order.commit((order) => withRecord(withUnclearAmount(order), {change}));
    return this.#send(platform, input, change, {change: last});
  }

  /** Sends the last change again if its answer is overdue. */
  async repeat(): Promise<void> {
    const isDue = () => Date.now() >= (this.order.state().record?.change?.retry.retryAt ?? Infinity);
    if (!isDue()) return;
    await this.turn.run(async () => {
      const {record} = this.order.state();
      const change = record?.change;
      if (!change || !isDue()) return;
      if (change.unrepeatable || change.retry.failures >= MAX_REPEATS) return this.order.commit(withUnclearAmount);
      // The time of the next repeat is stored before the call, in case the process dies.
      const next = {...change, retry: nextFailures(RETRY, change.retry, Date.now())};
      await this.order.commit((known) => withRecord(known, {change: next}));
      const {amount, payout, subMerchantId: sub_merchant_id, fee} = change.part;
      const {service: code, order} = record;
      const input = {code, order, amount: formatAmount(amount), payout, sub_merchant_id, fee};
      await this.#send(this.order.services().platform, input, next, null);
    });
  }

  /** @param before - What is true again if the platform does nothing; null for a repeated change. */
  async #send(
    platform: PlatformClient,
    input: OperationInput<'orderCodeUpdate'>,
    change: SentChange,
    before: Pick<OrderRecord, 'change'> | null,
  ): Promise<ChangeResult> {
    const {part, by} = change;
    const answer = await platform.call('orderCodeUpdate', input).catch((error: unknown) => {
      if (error instanceof PlatformError) return error;
      throw error;
    });
    const again = {change: {...change, retry: nextFailures(RETRY, null, Date.now())}};
    if (!(answer instanceof PlatformError)) {
      const {order: code} = answer;
      const withFound = this.code.withFound(code);
      await this.order.commit((order, now) => {
        // An earlier change without an answer may reach the platform after this one, so this one is sent once more. A
        // repeat does not say what became of a change of another part.
        const mayCost = before || !order.record?.parts?.[1] ? undefined : order.record.mayCost;
        const next = before?.change ? again : {change: undefined, mayCost};
        const changed = withRecord(amended(order, {...part, code}), {...next, changedBy: {apiKey: by}});
        // If the answer with the order's code was lost, this one has it. The code of a later part is not the order's.
        const isOfOrder = !changed.record?.parts || firstCode(changed) === code;
        const found = isOfOrder ? withFound(changed, now) : changed;
        return withCall(found, {what: 'code.changed', by, refusal: null}, now);
      });
      return {code};
    }
    const {failure} = answer;
    const operation = answer.operation as 'orderCodeUpdate';
    const isUndone = isUnsent(failure) || (failure.outcome === 'refused' && !isBroken(failure));
    await this.order.commit((order, now) => {
      // A refusal of a repeated change does not say whether the platform made it the first time.
      if (!before) return isPlatformTrouble(failure) ? order : withUnclearAmount(order);
      const refused = {what: 'code.change_failed', by, refusal: {operation, failure}} as const;
      const next = isUndone ? before : again;
      return withCall(withRecord(order, next), refused, now);
    });
    return {failure, operation};
  }
}

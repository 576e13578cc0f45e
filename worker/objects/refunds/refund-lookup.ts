/** Asks the platform about refunds, once at a time and once in a while however many want to know. */

import type {Context} from '../../context.ts';
import {failureOf} from '../../platform/failure.ts';
import type {RefundRecord} from '../../platform/operations/refunds.ts';
import {requireAllRows} from '../../platform/reply-json.ts';

/** What the platform said when it was asked; `notFound` where it knows none, `failed` where it did not say. */
export type LookupResult<T> = T | 'notFound' | 'failed';

/** What was said so recently is not asked again. */
export const REFUND_FRESH_MS = 10_000;
/** What the platform says to an id that it does not know, or that is nobody's. */
const NOT_FOUND_STATUSES: ReadonlySet<string> = new Set(['404', 'ERR_006', 'ERR_014']);

export class RefundLookup {
  readonly #refunds = new Map<string, CachedLookup<RefundRecord>>();
  readonly #orders = new Map<string, CachedLookup<ReadonlySet<string>>>();

  constructor(private readonly context: () => Context) {}

  read(id: string): Promise<LookupResult<RefundRecord>> {
    return lookUpOnce(this.#refunds, id, async () => (await this.context().platform.call('refundGet', {id})).data);
  }

  /** The ids of an order's refunds. */
  idsOfOrder(order: string): Promise<LookupResult<ReadonlySet<string>>> {
    return lookUpOnce(this.#orders, order, async () => {
      const {data} = await this.context().platform.call('refundGetByOrder', {order});
      return new Set(requireAllRows('refundGetByOrder', data).map(({id}) => id));
    });
  }
}

interface CachedLookup<T> {
  readonly result: Promise<LookupResult<T>>;
  freshUntil: number;
}

function lookUpOnce<T>(
  answers: Map<string, CachedLookup<T>>,
  key: string,
  read: () => Promise<T>,
): Promise<LookupResult<T>> {
  // The oldest stand first.
  for (const [known, {freshUntil}] of answers) {
    if (freshUntil > Date.now()) break;
    answers.delete(known);
  }
  const known = answers.get(key);
  if (known && Date.now() < known.freshUntil) return known.result;
  const answer: CachedLookup<T> = {result: toResult(read), freshUntil: Infinity};
  answers.set(key, answer);
  const end = (freshMs: number): void => void (answer.freshUntil = Date.now() + freshMs);
  answer.result.then(
    (result) => end(result === 'failed' ? 0 : REFUND_FRESH_MS),
    () => end(0),
  );
  return answer.result;
}

async function toResult<T>(read: () => Promise<T>): Promise<LookupResult<T>> {
  try {
    return await read();
  } catch (error) {
    const failure = failureOf(error);
    return failure.outcome === 'refused' && NOT_FOUND_STATUSES.has(failure.status) ? 'notFound' : 'failed';
  }
}

/** Reads refunds from the platform. Concurrent and repeated reads of the same refund share one call. */

import type {Context} from '../../context.ts';
import {failureOf} from '../../platform/failure.ts';
import type {RefundRecord} from '../../platform/operations/refunds.ts';
import {requireAllRows} from '../../platform/reply-json.ts';
import type {RefundRow} from './refund-store.ts';

/**
 * What the platform returned. `notFound`: the platform does not know the refund. `failed`: there is no usable answer.
 */
export type LookupResult<T> = T | 'notFound' | 'failed';

/** How long a result is reused. */
const REFUND_FRESH_MS = 10_000;
/** The platform's statuses for an unknown id. */
const NOT_FOUND_STATUSES: ReadonlySet<string> = new Set(['404', 'ERR_006', 'ERR_014']);

export class RefundLookup {
  readonly #refunds = new Map<string, CachedLookup<RefundRecord>>();
  readonly #orders = new Map<string, CachedLookup<ReadonlySet<string>>>();

  constructor(private readonly context: () => Context) {}

  read(id: string): Promise<LookupResult<RefundRecord>> {
    return lookUpOnce(this.#refunds, id, async () => (await this.context().platform.call('refundGet', {id})).data);
  }

  /** Reads the ids of an order's refunds. */
  idsOfOrder(order: string): Promise<LookupResult<ReadonlySet<string>>> {
    return lookUpOnce(this.#orders, order, async () => {
      const {data} = await this.context().platform.call('refundGetByOrder', {order});
      return new Set(requireAllRows('refundGetByOrder', data).map(({id}) => id));
    });
  }
}

/** Whether a stored refund was read so recently that it is not read again. */
export function isFresh({read_at}: Pick<RefundRow, 'read_at'>): boolean {
  return read_at !== null && Date.now() - read_at < REFUND_FRESH_MS;
}

interface CachedLookup<T> {
  readonly result: Promise<LookupResult<T>>;
  freshUntil: number;
}

function lookUpOnce<T>(
  cache: Map<string, CachedLookup<T>>,
  key: string,
  read: () => Promise<T>,
): Promise<LookupResult<T>> {
  // A map lists its oldest entries first.
  for (const [oldKey, {freshUntil}] of cache) {
    if (freshUntil > Date.now()) break;
    cache.delete(oldKey);
  }
  const cached = cache.get(key);
  if (cached && Date.now() < cached.freshUntil) return cached.result;
  const lookup: CachedLookup<T> = {result: toResult(read), freshUntil: Infinity};
  cache.set(key, lookup);
  const setFreshFor = (ms: number): void => void (lookup.freshUntil = Date.now() + ms);
  lookup.result.then(
    (result) => setFreshFor(result === 'failed' ? 0 : REFUND_FRESH_MS),
    () => setFreshFor(0),
  );
  return lookup.result;
}

async function toResult<T>(read: () => Promise<T>): Promise<LookupResult<T>> {
  try {
    return await read();
  } catch (error) {
    const failure = failureOf(error);
    return failure.outcome === 'refused' && NOT_FOUND_STATUSES.has(failure.status) ? 'notFound' : 'failed';
  }
}

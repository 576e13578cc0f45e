/** Asks the platform about refunds, once at a time and once in a while however many want to know. */

import type {Context} from '../../context.ts';
import {failureOf} from '../../platform/failure.ts';
import type {RefundRecord} from '../../platform/operations/refunds.ts';
import {allOf} from '../../platform/rows.ts';

/** What the platform said when it was asked; `none` where it knows none, `failed` where it did not say. */
export type Said<T> = T | 'none' | 'failed';

/** What was said so recently is not asked again. */
export const FRESH_MS = 10_000;
/** What the platform says to an id that it does not know, or that is nobody's. */
const NONE: ReadonlySet<string> = new Set(['404', 'ERR_006', 'ERR_014']);

export class RefundReader {
  readonly #refunds = new Map<string, Answer<RefundRecord>>();
  readonly #orders = new Map<string, Answer<ReadonlySet<string>>>();

  constructor(private readonly context: () => Context) {}

  read(id: string): Promise<Said<RefundRecord>> {
    return ask(this.#refunds, id, async () => (await this.context().platform.call('refundGet', {id})).data);
  }

  /** The ids of an order's refunds. */
  ofOrder(order: string): Promise<Said<ReadonlySet<string>>> {
    return ask(this.#orders, order, async () => {
      const {data} = await this.context().platform.call('refundGetByOrder', {order});
      return new Set(allOf('refundGetByOrder', data).map(({id}) => id));
    });
  }
}

interface Answer<T> {
  readonly said: Promise<Said<T>>;
  freshUntil: number;
}

function ask<T>(answers: Map<string, Answer<T>>, key: string, question: () => Promise<T>): Promise<Said<T>> {
  // The oldest stand first.
  for (const [known, {freshUntil}] of answers) {
    if (freshUntil > Date.now()) break;
    answers.delete(known);
  }
  const known = answers.get(key);
  if (known && Date.now() < known.freshUntil) return known.said;
  const answer: Answer<T> = {said: toSaid(question), freshUntil: Infinity};
  answers.set(key, answer);
  const end = (freshMs: number): void => void (answer.freshUntil = Date.now() + freshMs);
  answer.said.then(
    (said) => end(said === 'failed' ? 0 : FRESH_MS),
    () => end(0),
  );
  return answer.said;
}

async function toSaid<T>(question: () => Promise<T>): Promise<Said<T>> {
  try {
    return await question();
  } catch (error) {
    const failure = failureOf(error);
    return failure.outcome === 'refused' && NONE.has(failure.status) ? 'none' : 'failed';
  }
}

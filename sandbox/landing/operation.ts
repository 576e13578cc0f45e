import type {Context} from '../context.ts';
import type {Parameters} from '../request.ts';
import type {Answer} from '../visit.ts';

export interface Operation {
  /** Parameters beside `authorization` and `merchant` without which nothing happens (subscriptions 4.C). */
  readonly required: readonly string[];
  /** @throws {Refusal} */
  readonly handle: (parameters: Parameters, context: Context) => Answer;
}

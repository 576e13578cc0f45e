import type {Context} from '../context.ts';
import type {Answer, Visit} from '../visit.ts';

export interface Operation {
  readonly methods: readonly ('GET' | 'POST')[];
  /** Whether the headers `merchant` and `token` are asked for (orders 5). */
  readonly authenticated: boolean;
  /** @throws {Refusal} for the errors of the platform. */
  readonly handle: (visit: Visit, context: Context) => Answer | Promise<Answer>;
}

import type {Context} from '../context.ts';
import type {Visit} from '../visit.ts';

/** What an operation adds to `status` and `message` when it succeeds (orders 1). */
export type Answer = Readonly<Record<string, unknown>>;

export interface Operation {
  readonly methods: readonly ('GET' | 'POST')[];
  /** Whether the headers `merchant` and `token` are asked for (orders 5). */
  readonly authenticated: boolean;
  /** @throws {Refusal} for the errors of the platform. */
  readonly handle: (visit: Visit, context: Context) => Answer | Promise<Answer>;
}

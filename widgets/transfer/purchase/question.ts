import type {Problem} from '../../core/problem.ts';
import type {VezneElement} from '../../core/vezne-element.ts';
import type {Purchase} from './purchase.ts';

/**
 * What the Worker requires of the shopper before it goes on: the human check, or who buys. The file of each loads when it
 * is needed, and exports `ask`, which renders the question in its host.
 */
export interface Question {
  readonly host: VezneElement<unknown>;
  readonly purchase: Purchase;
  /** Why the last request was refused. */
  readonly problem: Problem | undefined;
  /** Sends the refused request again. @param human - The token of the human check. */
  readonly retry: (human: string) => void;
  /** What is certain, if the check has failed. */
  readonly assurance?: string | undefined;
  /** Takes the question back, because the order needs no answer any more. By default, it sends the request again. */
  readonly drop?: () => void;
}

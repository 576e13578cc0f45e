/** The texts of refusals, and of the problems of failed actions. */

import {withTimeout} from '../core/async.ts';
import {type LocalCode, type Problem, type ProblemCode, toProblem} from '../core/problem.ts';
import type {Action} from '../locales/subscription-actions.ts';

export const subscriptionRefusals = () => import('../bundles/subscription-refusals.ts');

/** Limits the time to load the file with the texts. */
const MESSAGES_TIMEOUT_MS = 4_000;

/** Whether the request got no answer. Such a code has no texts here, and a file may not load then. */
function isLocal(code: ProblemCode): code is LocalCode {
  return /offline|network|timeout|unreadable/.test(code);
}

/**
 * Gives the problem of a failed action a text that says what happened to the action. If the texts do not load, the
 * problem keeps its general text.
 */
export async function actionProblem(action: Action, thrown: unknown): Promise<Problem> {
  const problem = toProblem(thrown);
  const {code} = problem;
  if (isLocal(code)) return problem;
  const texts = await withTimeout(subscriptionRefusals(), MESSAGES_TIMEOUT_MS, undefined).catch(() => undefined);
  return Object.assign(problem, {refusal: texts?.actionRefusalOf(action, code) ?? problem.refusal});
}

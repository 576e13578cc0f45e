/** The texts of refusals, and of the problems of failed actions. */

import {withTimeout} from '../core/async.ts';
import {type Problem, toProblem} from '../core/problem.ts';
import type {Action} from '../locales/subscription-actions.ts';

export const subscriptionRefusals = () => import('../bundles/subscription-refusals.ts');

/** Limits the time to load the file with the texts. */
const MESSAGES_TIMEOUT_MS = 4_000;

/** The codes of requests without an answer. They have no texts here, and a file may not load then. */
const LOCAL_CODES = /offline|network|timeout|unreadable/;

/**
 * Gives the problem of a failed action a text that says what happened to the action. If the texts do not load, the
 * problem keeps its general text.
 */
export async function actionProblem(action: Action, thrown: unknown): Promise<Problem> {
  const problem = toProblem(thrown);
  if (LOCAL_CODES.test(problem.code)) return problem;
  const texts = await withTimeout(subscriptionRefusals(), MESSAGES_TIMEOUT_MS, undefined).catch(() => undefined);
  return Object.assign(problem, {refusal: texts?.actionRefusalOf(action, problem.code) ?? problem.refusal});
}

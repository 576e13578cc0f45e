import {type LoadRefusals, refusalProblem, unreachableProblem, type Problem} from '../core/problem.ts';
import {originNote} from '../locales/origin-note.ts';

const TIMEOUT_MS = 8_000;

const logged = new Set<string>();

/**
 * Why a Worker that never answered this page did not. Browsers do not tell a script whether nobody was there, or
 * somebody who does not answer pages of this origin. So the Worker is asked once more, and then in a way that promises
 * to read nothing: who answers only that does not know the page. Something broken before the Worker may look the same,
 * which is why it stays worth another try. Loaded only where it is needed.
 */
export async function diagnoseUnreachable(worker: string, refusals: LoadRefusals): Promise<Problem> {
  if ((await isReachable(worker, 'cors')) || !(await isReachable(worker, 'no-cors'))) return unreachableProblem();
  // oxlint-disable-next-line no-console -- there is nowhere else for a merchant to look
  if (!logged.has(worker)) console.error(originNote(worker, location.origin));
  logged.add(worker);
  return refusalProblem(refusals, 'origin_not_allowed', true);
}

function isReachable(worker: string, mode: RequestMode): Promise<boolean> {
  const reply = fetch(`${worker}/v1/banks`, {mode, credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT_MS)});
  return reply.then(
    () => true,
    () => false,
  );
}

/** A lazy bundle: finds out why a Worker cannot be reached. */

import {type LoadRefusals, Problem, refusalProblem, unreachableProblem} from '../core/problem.ts';

const TIMEOUT_MS = 8_000;

const logged = new Set<string>();

/**
 * The console message for a page's developer if the Worker does not allow the page's origin. It is in English only,
 * like a browser's own messages.
 */
const originNote = (worker: string, origin: string) =>
  // A file, or a frame whose sandbox lacks `allow-same-origin`.
  origin === 'null'
    ? `Vezne: ${worker} does not answer a page without an origin, such as a file. Serve it: python3 -m http.server 8000`
    : `Vezne: ${worker} can be reached, but does not answer pages of ${origin}. Add that origin to its ALLOWED_ORIGINS.`;

/**
 * Finds out why a Worker has never answered this page. The browser does not tell a script whether the Worker was
 * unreachable or did not allow the page's origin. So this function sends one request with CORS and one without CORS. If
 * only the request without CORS gets an answer, the Worker does not allow the origin. A broken proxy in front of the
 * Worker can have the same effect, so the problem stays retryable.
 */
export async function diagnoseUnreachable(worker: string, refusals: LoadRefusals): Promise<Problem> {
  if ((await isReachable(worker, 'cors')) || !(await isReachable(worker, 'no-cors'))) return unreachableProblem();
  const note = originNote(worker, self.origin);
  if (!logged.has(worker)) console.error(note);
  logged.add(worker);
  if (isDeveloper()) {
    const message = {title: 'This page isn’t allowed', text: note};
    return new Problem('origin_not_allowed', false, 0, {
      messages: {tr: message, en: message},
      nextStep: 'none',
      isComplete: true,
    });
  }
  return refusalProblem(refusals, 'origin_not_allowed', true);
}

/**
 * Whether a developer has opened the page: the page is on the developer's own machine, or its URL has `?vezne-debug`.
 * If so, the element shows the note to the developer, and does not retry, because each try adds an error to the
 * console.
 */
function isDeveloper(): boolean {
  const {hostname, search} = location;
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname) || new URLSearchParams(search).has('vezne-debug');
}

function isReachable(worker: string, mode: RequestMode): Promise<boolean> {
  const reply = fetch(`${worker}/v1/banks`, {mode, credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT_MS)});
  return reply.then(
    () => true,
    () => false,
  );
}

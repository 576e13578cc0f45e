import {describeError, log} from './log.ts';

const RECORD_TRIES = 3;

/**
 * Tells an object what the platform has done already. A request does not fail because of it: that would undo nothing.
 * @param what was to be noted, for the log.
 */
export async function recordWithRetry(what: string, tell: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; attempt <= RECORD_TRIES; attempt += 1) {
    try {
      await tell();
      return;
    } catch (error) {
      log('error', 'note_failed', {names: [what], error: describeError(error)});
    }
  }
}

/**
 * A newer workerd than wrangler's workerd. It repeats a GET when a kept-alive connection breaks, which wrangler's
 * workerd does not do yet (docs/decisions/relay.md). It has a separate package-lock.json, so that `npm ci` does not
 * install its 160 MB.
 */

import {install} from '../../../scripts/lib/install.mjs';
import {repoPath, UserError} from '../../../scripts/lib/repo.mjs';

/** The folder in which this workerd is installed, for `Workerd.start`. */
export const WORKERD_NEXT = repoPath('test', 'faults', 'workerd-next');

/**
 * Installs this workerd on first use. Without a network the function prints a message, and only the tests that need
 * this workerd fail.
 */
export function installWorkerdNext(): void {
  try {
    install(WORKERD_NEXT);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(error.message);
  }
}

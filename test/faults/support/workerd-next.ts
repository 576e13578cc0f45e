/**
 * A later workerd than wrangler brings: it sends a GET again when a kept connection dies under it, which wrangler's does not
 * do yet (docs/decisions/relay.md). It has a lock of its own, so that `npm ci` leaves its 160 MB out.
 */

import {install} from '../../../scripts/lib/install.mjs';
import {repoPath, UserError} from '../../../scripts/lib/repo.mjs';

/** For `Workerd.start`. */
export const WORKERD_NEXT = repoPath('test', 'faults', 'workerd-next');

/** On first use. Without a network only the tests that need it fail. */
export function installWorkerdNext(): void {
  try {
    install(WORKERD_NEXT);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(error.message);
  }
}

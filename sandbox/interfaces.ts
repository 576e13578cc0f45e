/** Finds the interface and the operation of a path. */

import {landingInterface} from './landing.ts';
import {micropaymentInterface} from './micropayment/micropayment.ts';
import {payInterface} from './pay/pay.ts';
import {phsInterface} from './phs/phs.ts';
import type {PlatformInterface} from './request.ts';

const INTERFACES: ReadonlyMap<string, PlatformInterface> = new Map([
  ['/phs', phsInterface],
  ['/micropayment', micropaymentInterface],
  ['/pay', payInterface],
  ['/landing', landingInterface],
]);

/** Returns the interface that answers requests to a path. */
export function findInterface(path: string): PlatformInterface | undefined {
  const [, first = ''] = path.split('/');
  return INTERFACES.get(`/${first}`);
}

/**
 * Returns the full path of an operation such as `/phs/getToken`. The name may be the full path or, as in the spec, the
 * path without its base: `/getToken`.
 */
export function findOperationPath(name: string): string | undefined {
  const path = name.startsWith('/') ? name : `/${name}`;
  const candidates = [path, ...Array.from(INTERFACES.keys(), (base) => base + path)];
  return candidates
    .map((candidate) => findInterface(candidate)?.operationOf(candidate))
    .find((found) => found !== undefined);
}

import {landing} from './landing/landing.ts';
import {micropayment} from './micropayment/micropayment.ts';
import {pay} from './pay/pay.ts';
import {phs} from './phs/phs.ts';
import type {Base} from './request.ts';

const BASES: ReadonlyMap<string, Base> = new Map([
  ['/phs', phs],
  ['/micropayment', micropayment],
  ['/pay', pay],
  ['/landing', landing],
]);

/** The base that answers a path. */
export function findBase(path: string): Base | undefined {
  const [, first = ''] = path.split('/');
  return BASES.get(`/${first}`);
}

/** The path of an operation, found by it (`/phs/getToken`) or by the path its spec gives (`/getToken`). */
export function findOperationPath(name: string): string | undefined {
  const path = name.startsWith('/') ? name : `/${name}`;
  const candidates = [path, ...Array.from(BASES.keys(), (base) => base + path)];
  return candidates
    .map((candidate) => findBase(candidate)?.operationOf(candidate))
    .find((found) => found !== undefined);
}

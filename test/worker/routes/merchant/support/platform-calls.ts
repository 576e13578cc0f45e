/** The calls that reached the platform since the test began. */

import {type Call, calls} from '../../../support/sandbox.ts';

let ignoredCalls = 0;

/** Makes `platformCalls` ignore all calls made so far. */
export async function startCounting(): Promise<void> {
  ignoredCalls = (await calls()).length;
}

/** @param operation - Path below `/phs`; if omitted, all calls are returned. */
export async function platformCalls(operation?: string): Promise<Call[]> {
  const counted = (await calls()).slice(ignoredCalls);
  return operation === undefined ? counted : counted.filter(({path}) => path === `/phs${operation}`);
}

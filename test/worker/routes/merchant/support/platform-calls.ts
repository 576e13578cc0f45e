/** What the platform was asked since the test began. */

import {type Call, calls} from '../../../support/sandbox.ts';

let before = 0;

/** From here on counts what is asked. */
export async function startCounting(): Promise<void> {
  before = (await calls()).length;
}

export async function platformCalls(operation?: string): Promise<Call[]> {
  const since = (await calls()).slice(before);
  return operation === undefined ? since : since.filter(({path}) => path === `/phs${operation}`);
}

/** The kinds of fault that a call to the platform can meet, and the failure that the client must report for each. */

import type {PlatformFailure} from '../../../worker/platform/failure.ts';

const connection: PlatformFailure = {outcome: 'unknown', fault: 'connection'};
const timeout: PlatformFailure = {outcome: 'unknown', fault: 'timeout'};
const unreadable: PlatformFailure = {outcome: 'unknown', fault: 'unreadable'};
const refused = (status: string): PlatformFailure => ({outcome: 'refused', status, message: 'Refused'});

export const FAULTS = {
  refused: connection,
  'no first byte': timeout,
  'slow body': timeout,
  truncated: connection,
  reset: connection,
  'executed, then reset': connection,
  '5xx with HTML': unreadable,
  '200 with HTML': unreadable,
  empty: unreadable,
  malformed: unreadable,
  huge: unreadable,
  'redirect to another host': {outcome: 'unknown', fault: 'redirect'},
  // The platform refuses every token, even a new one.
  'ERR_016 storm': refused('ERR_016'),
  ERR_007: refused('ERR_007'),
  ERR_002: refused('ERR_002'),
  'unknown status': refused('ERR_777'),
} as const satisfies Record<string, PlatformFailure>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

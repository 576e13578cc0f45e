/** The columns of the checkout matrix: how each fault is set and cleared. */

import type {FaultProxy, Fault as LineFault} from '../../support/fault-proxy.ts';
import type {SandboxControls} from './sandbox-controls.ts';

/** The operations of the checkout. */
export const OPERATIONS = [
  '/getToken',
  '/bank/getAll',
  '/orderToReference/create',
  '/orderToReference/check',
  '/transaction/search',
  '/transaction/get',
] as const;
export type OperationPath = (typeof OPERATIONS)[number];

/** The places where faults are set: the connection to the platform, and the platform (the sandbox) itself. */
export interface FaultPoints {
  readonly line: FaultProxy;
  readonly platform: SandboxControls;
}

export interface Column {
  readonly name: string;
  /** The status in the platform's answer; null if the Worker gets no readable answer. */
  readonly refusalStatus: string | null;
  /** Makes the operations fail. */
  apply(points: FaultPoints, operations: readonly OperationPath[]): Promise<void>;
  clear(points: FaultPoints): Promise<void>;
}

const faultOnLine = (fault: LineFault): Column => ({
  name: fault,
  refusalStatus: null,
  async apply({line}, operations) {
    for (const match of operations) await line.set(fault, {match});
  },
  clear: ({line}) => line.set(null),
});

const faultAtPlatform = (name: string, plan: object, refusalStatus: string | null = null): Column => ({
  name,
  refusalStatus,
  async apply({platform}, operations) {
    for (const operation of operations) await platform.fault(operation, plan);
  },
  clear: ({platform}) => platform.heal(),
});

const status = (code: string) => faultAtPlatform(code, {kind: 'status', status: code}, code);

/**
 * One column for each kind of failure: no answer, a lost answer, an unreadable answer, a refused token and a refused
 * request. `operation-matrix.test.ts` tests what the Worker makes of every fault. The slowest column comes first.
 */
export const COLUMNS: readonly Column[] = [
  faultOnLine('silent'),
  faultOnLine('reset-after'),
  faultAtPlatform('malformed after execution', {kind: 'malformed', after: true}),
  status('ERR_016'),
  status('ERR_777'),
];

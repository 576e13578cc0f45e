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
  /** Whether the fault proxy can count the failing requests. */
  readonly countable: boolean;
  /** Makes the operations fail. */
  apply(points: FaultPoints, operations: readonly OperationPath[]): Promise<void>;
  clear(points: FaultPoints): Promise<void>;
}

/** A closed port makes all operations fail; it cannot make only some of them fail. */
const closedPort: Column = {
  name: 'refused',
  refusalStatus: null,
  countable: false,
  async apply({line, platform}, operations) {
    // If only one operation must fail, the platform delays this operation. The port is closed later, for all
    // operations.
    if (operations.length === 1) await platform.fault(operations[0] ?? '', {kind: 'delay', delay_ms: 4_000});
    else await line.set('refused');
  },
  async clear({line, platform}) {
    await line.set(null);
    await platform.heal();
  },
};

const faultOnLine = (fault: Exclude<LineFault, 'refused'>): Column => ({
  name: fault,
  refusalStatus: null,
  countable: true,
  async apply({line}, operations) {
    for (const match of operations) await line.set(fault, {match});
  },
  clear: ({line}) => line.set(null),
});

const faultAtPlatform = (name: string, plan: object, refusalStatus: string | null = null): Column => ({
  name,
  refusalStatus,
  countable: true,
  async apply({platform}, operations) {
    for (const operation of operations) await platform.fault(operation, plan);
  },
  clear: ({platform}) => platform.heal(),
});

const status = (code: string) => faultAtPlatform(code, {kind: 'status', status: code}, code);

/** The slowest columns come first. */
export const COLUMNS: readonly Column[] = [
  faultOnLine('silent'),
  faultOnLine('slow'),
  faultAtPlatform('delay', {kind: 'delay', delay_ms: 25_000}),
  closedPort,
  faultOnLine('reset-before'),
  faultOnLine('reset-after'),
  faultOnLine('truncated'),
  faultAtPlatform('500-html', {kind: '500-html'}),
  faultAtPlatform('malformed', {kind: 'malformed'}),
  faultAtPlatform('malformed after execution', {kind: 'malformed', after: true}),
  faultAtPlatform('empty', {kind: 'empty'}),
  faultAtPlatform('redirect', {kind: 'redirect'}),
  faultAtPlatform('huge', {kind: 'huge'}),
  status('500'),
  status('ERR_016'),
  status('ERR_007'),
  status('ERR_002'),
  status('ERR_777'),
];

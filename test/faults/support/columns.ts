/** The columns of the fault matrix: how each fault is made, and lifted. */

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

export interface FaultPoints {
  readonly line: FaultProxy;
  readonly platform: SandboxControls;
}

export interface Column {
  readonly name: string;
  /** The status the platform answers with; null where no readable answer comes. */
  readonly refuses: string | null;
  /** Whether the proxy sees what is struck. */
  readonly countable: boolean;
  /** Lets the operations fail. */
  apply(between: FaultPoints, operations: readonly OperationPath[]): Promise<void>;
  clear(between: FaultPoints): Promise<void>;
}

/** A closed port knows no operations: all of them fail. */
const refused: Column = {
  name: 'refused',
  refuses: null,
  countable: false,
  async apply({line, platform}, operations) {
    // For one of them alone the platform is slow instead, until the port closes for all.
    if (operations.length === 1) await platform.fault(operations[0] ?? '', {kind: 'delay', delay_ms: 4_000});
    else await line.set('refused');
  },
  async clear({line, platform}) {
    await line.set(null);
    await platform.heal();
  },
};

const onLine = (fault: Exclude<LineFault, 'refused'>): Column => ({
  name: fault,
  refuses: null,
  countable: true,
  async apply({line}, operations) {
    for (const match of operations) await line.set(fault, {match});
  },
  clear: ({line}) => line.set(null),
});

const atPlatform = (name: string, plan: object, refuses: string | null = null): Column => ({
  name,
  refuses,
  countable: true,
  async apply({platform}, operations) {
    for (const operation of operations) await platform.fault(operation, plan);
  },
  clear: ({platform}) => platform.heal(),
});

const status = (code: string) => atPlatform(code, {kind: 'status', status: code}, code);

/** Those that last longest first. */
export const COLUMNS: readonly Column[] = [
  onLine('silent'),
  onLine('slow'),
  atPlatform('delay', {kind: 'delay', delay_ms: 25_000}),
  refused,
  onLine('reset-before'),
  onLine('reset-after'),
  onLine('truncated'),
  atPlatform('500-html', {kind: '500-html'}),
  atPlatform('malformed', {kind: 'malformed'}),
  atPlatform('malformed after the deed', {kind: 'malformed', after: true}),
  atPlatform('empty', {kind: 'empty'}),
  atPlatform('redirect', {kind: 'redirect'}),
  atPlatform('huge', {kind: 'huge'}),
  status('500'),
  status('ERR_016'),
  status('ERR_007'),
  status('ERR_002'),
  status('ERR_777'),
];

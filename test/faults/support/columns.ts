/** The columns of the fault matrix: how each fault is made, and lifted. */

import type {FaultProxy, Fault as LineFault} from '../../support/fault-proxy.ts';
import type {Platform} from './sandbox-controls.ts';

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

export interface Between {
  readonly line: FaultProxy;
  readonly platform: Platform;
}

export interface Column {
  readonly name: string;
  /** The status the platform answers with; null where no readable answer comes. */
  readonly refuses: string | null;
  /** Whether the proxy sees what is struck. */
  readonly countable: boolean;
  /** Lets the operations fail. */
  strike(between: Between, operations: readonly OperationPath[]): Promise<void>;
  lift(between: Between): Promise<void>;
}

/** A closed port knows no operations: all of them fail. */
const refused: Column = {
  name: 'refused',
  refuses: null,
  countable: false,
  async strike({line, platform}, operations) {
    // For one of them alone the platform is slow instead, until the port closes for all.
    if (operations.length === 1) await platform.fault(operations[0] ?? '', {kind: 'delay', delay_ms: 4_000});
    else await line.set('refused');
  },
  async lift({line, platform}) {
    await line.set(null);
    await platform.heal();
  },
};

const onTheLine = (fault: Exclude<LineFault, 'refused'>): Column => ({
  name: fault,
  refuses: null,
  countable: true,
  async strike({line}, operations) {
    for (const match of operations) await line.set(fault, {match});
  },
  lift: ({line}) => line.set(null),
});

const atThePlatform = (name: string, plan: object, refuses: string | null = null): Column => ({
  name,
  refuses,
  countable: true,
  async strike({platform}, operations) {
    for (const operation of operations) await platform.fault(operation, plan);
  },
  lift: ({platform}) => platform.heal(),
});

const status = (code: string) => atThePlatform(code, {kind: 'status', status: code}, code);

/** Those that last longest first. */
export const COLUMNS: readonly Column[] = [
  onTheLine('silent'),
  onTheLine('slow'),
  atThePlatform('delay', {kind: 'delay', delay_ms: 25_000}),
  refused,
  onTheLine('reset-before'),
  onTheLine('reset-after'),
  onTheLine('truncated'),
  atThePlatform('500-html', {kind: '500-html'}),
  atThePlatform('malformed', {kind: 'malformed'}),
  atThePlatform('malformed after the deed', {kind: 'malformed', after: true}),
  atThePlatform('empty', {kind: 'empty'}),
  atThePlatform('redirect', {kind: 'redirect'}),
  atThePlatform('huge', {kind: 'huge'}),
  status('500'),
  status('ERR_016'),
  status('ERR_007'),
  status('ERR_002'),
  status('ERR_777'),
];

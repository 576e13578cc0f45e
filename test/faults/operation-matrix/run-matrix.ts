/** Every operation × every fault, in workerd, against real sockets. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {isDeepStrictEqual} from 'node:util';
import {build} from 'vite';
import {type OperationName, operations} from '../../../worker/platform/operations/index.ts';
import {sendRequest} from '../support/http-request.ts';
import {Workerd} from '../support/workerd.ts';
import type {CallRequest, CallResult} from './caller.ts';
import {FailingPlatform} from './failing-platform.ts';
import {FAULT_NAMES, FAULTS, type FaultName} from './faults.ts';

export interface Cell extends CallResult {
  readonly operation: OperationName;
  readonly fault: FaultName;
  /** How often the platform was asked; what was refused it cannot count. */
  readonly requests: number;
}

export interface Run {
  readonly cells: readonly Cell[];
  readonly followedRedirects: number;
}

export const OPERATIONS = Object.keys(operations) as OperationName[];

export interface Plan {
  /** Which cells; all of them where absent. */
  readonly only?: (operation: number, fault: number) => boolean;
  /** What is left of its deadline when a call begins that has to wait for it; all of it where absent. */
  readonly leftMs?: number;
  readonly atOnce: number;
}

export async function runMatrix({only = () => true, leftMs, atOnce}: Plan): Promise<Run> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vezne-matrix-'));
  const platform = await FailingPlatform.start();
  const workerd = await Workerd.start([{name: 'caller', module: await bundleCaller(folder), vars: {}, objects: {}}]);
  try {
    const chosen = FAULT_NAMES.flatMap((fault, column) =>
      OPERATIONS.filter((_, row) => only(row, column)).map((operation) => ({operation, fault})),
    );
    // Those that last longest first.
    const rest = chosen.toSorted((a, b) => Number(isWaiting(b.fault)) - Number(isWaiting(a.fault))).values();
    const cells: Cell[] = [];
    await Promise.all(
      Array.from({length: atOnce}, async () => {
        for (const {operation, fault} of rest) {
          const cell = `${operation} ${fault}`;
          const asked: CallRequest = {
            operation,
            baseUrl: platform.addressOf(cell, fault),
            ...(leftMs !== undefined && isWaiting(fault) && {leftMs}),
          };
          const {text} = await sendRequest(workerd.url('caller'), {body: JSON.stringify(asked)});
          cells.push({operation, fault, ...(JSON.parse(text) as CallResult), requests: platform.requestsOf(cell)});
        }
      }),
    );
    return {cells, followedRedirects: platform.visitsElsewhere};
  } finally {
    await workerd.stop();
    await platform.stop();
    rmSync(folder, {recursive: true, force: true});
  }
}

const isWaiting = (fault: FaultName) => isDeepStrictEqual(FAULTS[fault], FAULTS['no first byte']);

/** Attempts at a read, and tokens one call may try. */
const MAX_ATTEMPTS = 3;

/** What is not as it should be, in words: another outcome than the fault's, a write that was repeated, a read that was repeated too often. */
export function complaintsOf({cells, followedRedirects}: Run): string[] {
  const complaints = cells.flatMap(({operation, fault, failure, requests}) => {
    const {httpStatus: _, ...reported} =
      typeof failure === 'object' ? {httpStatus: null, ...failure} : {httpStatus: null, told: failure};
    const {effect, token} = operations[operation];
    const limit = effect === 'read' || (token && fault === 'ERR_016 storm') ? MAX_ATTEMPTS : 1;
    const least = fault === 'refused' ? 0 : 1;
    return [
      ...(isDeepStrictEqual(reported, FAULTS[fault])
        ? []
        : [`${operation}, ${fault}: ended as ${JSON.stringify(failure)}`]),
      ...(requests >= least && requests <= limit ? [] : [`${operation}, ${fault}: asked ${requests} times`]),
    ];
  });
  return followedRedirects === 0 ? complaints : [...complaints, `${followedRedirects} redirects were followed`];
}

async function bundleCaller(folder: string): Promise<string> {
  const outDir = path.join(folder, 'caller');
  await build({
    configFile: false,
    logLevel: 'silent',
    publicDir: false,
    ssr: {noExternal: true, target: 'webworker'},
    build: {
      ssr: fileURLToPath(new URL('caller.ts', import.meta.url)),
      outDir,
      target: 'esnext',
      rolldownOptions: {output: {entryFileNames: 'index.js'}},
    },
  });
  return path.join(outDir, 'index.js');
}

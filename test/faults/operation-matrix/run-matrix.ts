/** Calls the platform's operations under every kind of fault, in workerd and over real sockets. */

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
  /** How many requests reached the platform. Refused connections do not count. */
  readonly requests: number;
}

export interface Run {
  readonly cells: readonly Cell[];
  readonly followedRedirects: number;
}

export const OPERATIONS = Object.keys(operations) as OperationName[];

export interface Plan {
  /** Whether a cell runs, by the index of its operation and of its fault; by default all cells run. */
  readonly only?: (operation: number, fault: number) => boolean;
  /** The part of the deadline that is left when a call that will time out starts; by default all of it. */
  readonly leftMs?: number;
  /** How many cells run at the same time. */
  readonly concurrency: number;
}

export async function runMatrix({only = () => true, leftMs, concurrency}: Plan): Promise<Run> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vezne-matrix-'));
  const platform = await FailingPlatform.start();
  const workerd = await Workerd.start([{name: 'caller', module: await bundleCaller(folder), vars: {}, classes: []}]);
  try {
    const chosen = FAULT_NAMES.flatMap((fault, column) =>
      OPERATIONS.filter((_, row) => only(row, column)).map((operation) => ({operation, fault})),
    );
    // The cells that end in a timeout take longest, so they start first.
    const rest = chosen.toSorted((a, b) => Number(timesOut(b.fault)) - Number(timesOut(a.fault))).values();
    const cells: Cell[] = [];
    await Promise.all(
      Array.from({length: concurrency}, async () => {
        for (const {operation, fault} of rest) {
          const cell = `${operation} ${fault}`;
          const callRequest: CallRequest = {
            operation,
            baseUrl: platform.addressOf(cell, fault),
            ...(leftMs !== undefined && timesOut(fault) && {leftMs}),
          };
          const {text} = await sendRequest(workerd.url('caller'), {body: JSON.stringify(callRequest)});
          cells.push({operation, fault, ...(JSON.parse(text) as CallResult), requests: platform.requestsOf(cell)});
        }
      }),
    );
    return {cells, followedRedirects: platform.redirectsFollowed};
  } finally {
    await workerd.stop();
    await platform.stop();
    rmSync(folder, {recursive: true, force: true});
  }
}

const timesOut = (fault: FaultName) => isDeepStrictEqual(FAULTS[fault], FAULTS['no first byte']);

/** The maximum number of attempts of a read, and of tokens that one call tries. */
const MAX_ATTEMPTS = 3;

/**
 * Lists the problems of a run as text: a wrong failure, a repeated write, too many retries of a read, a followed
 * redirect.
 */
export function problemsOf({cells, followedRedirects}: Run): string[] {
  const problems = cells.flatMap(({operation, fault, failure, requests}) => {
    const {httpStatus: _, ...reported} =
      typeof failure === 'object' ? {httpStatus: null, ...failure} : {httpStatus: null, thrown: failure};
    const {effect, token} = operations[operation];
    const limit = effect === 'read' || (token && fault === 'ERR_016 storm') ? MAX_ATTEMPTS : 1;
    const minimum = fault === 'refused' ? 0 : 1;
    return [
      ...(isDeepStrictEqual(reported, FAULTS[fault])
        ? []
        : [`${operation}, ${fault}: ended as ${JSON.stringify(failure)}`]),
      ...(requests >= minimum && requests <= limit ? [] : [`${operation}, ${fault}: sent ${requests} times`]),
    ];
  });
  return followedRedirects === 0 ? problems : [...problems, `${followedRedirects} redirects were followed`];
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

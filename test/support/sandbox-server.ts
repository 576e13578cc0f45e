/**
 * Starts the sandbox for one test run, on a free port and with empty storage, behind a fault proxy (the "line"). Tests
 * read the URLs with `inject`.
 */

import {mkdtempSync, rmSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type {TestProject} from 'vitest/node';
import {bundleSandbox} from '../faults/support/bundles.ts';
import {planSandbox} from '../faults/support/worker-plans.ts';
import {Workerd} from '../faults/support/workerd.ts';
import {type Fault, type FaultProxy, startFaultProxy} from './fault-proxy.ts';

/**
 * The fraction of its cases that a scaled test runs in `npm test` and in the smallest run of a bench. `npm run bench`
 * runs all cases.
 */
const FRACTION = 0.1;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const sandbox = await serveSandbox();
  const line = await startFaultProxy({target: sandbox.url('sandbox')});
  const lineControl = await serveLineControl(line);
  project.provide('scale', Math.max(FRACTION, Number(process.env['VEZNE_BENCH_SCALE'] ?? 0)));
  project.provide('storesFile', process.env['VEZNE_RECORD'] ?? null);
  project.provide('sandboxUrl', sandbox.url('sandbox'));
  project.provide('platformUrl', line.url);
  project.provide('lineUrl', `http://127.0.0.1:${(lineControl.address() as AddressInfo).port}`);
  return async () => {
    lineControl.closeAllConnections();
    lineControl.close();
    await line.stop();
    await sandbox.stop();
  };
}

/**
 * Starts the sandbox without `wrangler dev`, because wrangler's own proxy would slow down the many calls of the tests.
 */
async function serveSandbox(): Promise<Workerd> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vezne-bundle-'));
  try {
    // No server listens on this port: the tests themselves send the platform's notifications to the Worker.
    return await Workerd.start([
      planSandbox(
        'sandbox',
        {sandbox: await bundleSandbox(folder)},
        {NOTIFY_URL: 'http://localhost:1/hooks/refund-result'},
      ),
    ]);
  } finally {
    rmSync(folder, {recursive: true, force: true});
  }
}

const LINE_STATES: ReadonlyMap<string, Fault | null> = new Map([
  ['open', null],
  ['refused', 'refused'],
  ['silent', 'silent'],
  ['reset', 'reset-before'],
  ['truncated', 'truncated'],
]);

/** Starts a server with which tests in workerd set the fault: `POST /<fault>`. Every change resets open connections. */
async function serveLineControl(line: FaultProxy): Promise<Server> {
  const control = createServer((request, response) => {
    const state = LINE_STATES.get((request.url ?? '').slice(1));
    if (state === undefined) return response.writeHead(404).end();
    line.cut();
    void line.set(state).then(() => response.end());
  });
  await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve));
  return control;
}

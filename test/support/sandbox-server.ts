/**
 * Starts the sandbox for one run of tests, on a free port and with nothing remembered, behind a line that tests can cut.
 * Tests learn its addresses by `inject`.
 */
import {mkdtempSync, rmSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type {TestProject} from 'vitest/node';
import {freePort} from '../../scripts/parts/ports.mjs';
import {startSandbox, untilAnswering} from '../../scripts/parts/stack.mjs';
import {type Fault, type FaultProxy, startFaultProxy} from './fault-proxy.ts';

/** What `npm test` takes of the cases of a figure, and what it takes to be one; `npm run bench` takes all. */
const FRACTION = 0.1;

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const state = mkdtempSync(path.join(tmpdir(), 'vezne-sandbox-'));
  const port = await freePort();
  // Nobody listens there: tests hand on what the platform would have said.
  const sandbox = startSandbox({port, persistTo: state, vars: {NOTIFY_URL: 'http://localhost:1/hooks/refund-result'}});
  const line = await startFaultProxy({target: port});
  const lineControl = await serveLineControl(line);
  const stop = async (): Promise<void> => {
    lineControl.closeAllConnections();
    lineControl.close();
    await line.stop();
    await sandbox.end();
    rmSync(state, {recursive: true, force: true});
  };
  try {
    await untilAnswering(sandbox, 'The sandbox', `http://localhost:${port}/`);
    project.provide('scale', Math.max(FRACTION, Number(process.env['VEZNE_BENCH_SCALE'] ?? 0)));
    project.provide('sandboxUrl', `http://127.0.0.1:${port}`);
    project.provide('platformUrl', line.url);
    project.provide('lineUrl', `http://127.0.0.1:${(lineControl.address() as AddressInfo).port}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

const LINE_STATES: ReadonlyMap<string, Fault | null> = new Map([
  ['open', null], ['refused', 'refused'], ['silent', 'silent'], ['reset', 'reset-before'], ['truncated', 'truncated'],
]);

/** Lets tests that run in workerd set the line: `POST /<state>`. Connections that stand are cut by every change. */
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

/** Starts a Worker, a sandbox and a fault proxy between them (the "line"). */

import {type FaultProxy, startFaultProxy} from '../../support/fault-proxy.ts';
import type {Bundles} from './bundles.ts';
import {Page} from './page.ts';
import {SandboxControls} from './sandbox-controls.ts';
import {planSandbox, planWorker} from './worker-plans.ts';
import {Workerd} from './workerd.ts';

export interface FaultStack {
  readonly page: Page;
  readonly platform: SandboxControls;
  readonly line: FaultProxy;
  logLines(event: string): Record<string, unknown>[];
  stop(): Promise<void>;
}

export async function openFaultStack(bundles: Bundles): Promise<FaultStack> {
  const sandbox = await Workerd.start([planSandbox('sandbox', bundles)]);
  const line = await startFaultProxy({target: sandbox.url('sandbox')});
  const worker = await Workerd.start([planWorker('worker', bundles, line.url)]);
  return {
    page: new Page(worker.url('worker')),
    platform: new SandboxControls(sandbox.url('sandbox')),
    line,
    logLines: (event) => worker.logLines().filter((logged) => logged['event'] === event),
    async stop() {
      await worker.stop();
      await line.stop();
      await sandbox.stop();
    },
  };
}

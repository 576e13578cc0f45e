/**
 * Global setup for all tests of the client: starts a Worker and a sandbox as `npm start` does, and packs the client as
 * a merchant gets it.
 */

import {mkdir, mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import type {TestProject} from 'vitest/node';
import {freePort} from '../../../cli/ports.mjs';
import {workerVars, startSandbox, startWorker, waitForServer} from '../../../cli/servers.mjs';
import {LeakWatch} from '../../support/leak-watch.ts';
import {SECRET} from '../../support/webhook-inbox.ts';
import {installClient, packClient} from './package.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly workerUrl: string;
    readonly sandboxUrl: string;
    /**
     * An origin on which a test may listen. The Worker sends events to the path `/vezne` of this origin, and allows
     * pages of this origin.
     */
    readonly inboxUrl: string;
    /** The folder of a merchant's project that has installed the packed client. */
    readonly merchantProject: string;
  }
}

export const ORIGIN = 'https://shop.example';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = await mkdtemp(path.join(tmpdir(), 'vezne-client-'));
  const [workerPort, sandboxPort, inboxPort] = [await freePort(), await freePort(), await freePort()];
  const [workerUrl, sandboxUrl, inboxUrl] = [workerPort, sandboxPort, inboxPort].map(
    (port) => `http://localhost:${port}`,
  ) as [string, string, string];
  // The folder for static files stays empty: no test loads such a file, and wrangler restarts when one changes.
  const site = path.join(home, 'site');
  await mkdir(site);
  const watch = new LeakWatch('The log of the servers', {people: true});
  const onOutput = (text: string) => watch.scan(text);
  const sandbox = startSandbox({port: sandboxPort, persistTo: path.join(home, 'sandbox'), onOutput});
  const worker = startWorker({
    port: workerPort,
    site,
    persistTo: path.join(home, 'worker'),
    vars: {...workerVars(sandboxPort, [ORIGIN, inboxUrl]), WEBHOOK_URL: `${inboxUrl}/vezne`, WEBHOOK_SECRET: SECRET},
    onOutput,
  });
  const stop = async (): Promise<void> => {
    await Promise.all([worker.end(), sandbox.end()]);
    await rm(home, {recursive: true, force: true});
    watch.assertClean();
  };
  try {
    const merchantProject = path.join(home, 'project');
    await installClient(await packClient(path.join(home, 'package')), merchantProject);
    const packed = new LeakWatch('The packed client');
    packed.scanFolder(path.join(home, 'package'));
    packed.assertClean();
    await Promise.all([
      waitForServer(sandbox, 'The sandbox', sandboxUrl),
      waitForServer(worker, 'The Worker', `${workerUrl}/health`),
    ]);
    project.provide('workerUrl', workerUrl);
    project.provide('sandboxUrl', sandboxUrl);
    project.provide('inboxUrl', inboxUrl);
    project.provide('merchantProject', merchantProject);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

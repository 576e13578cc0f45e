/**
 * Global setup for all tests of the client: starts a Worker and a sandbox, and packs the client as a merchant gets it.
 */

import {readFileSync} from 'node:fs';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {parseEnv} from 'node:util';
import type {TestProject} from 'vitest/node';
import {freePort} from '../../../cli/ports.mjs';
import {repoPath} from '../../../scripts/lib/repo.mjs';
import {bundle} from '../../faults/support/bundles.ts';
import {planSandbox, planWorker} from '../../faults/support/worker-plans.ts';
import {Workerd} from '../../faults/support/workerd.ts';
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

/** The sandbox's secrets. */
const SECRETS = parseEnv(readFileSync(repoPath('.dev.vars'), 'utf8')) as Record<string, string>;
const CLUB = {
  kind: 'subscription',
  product: 77,
  price: '12.00',
  period: 'weekly',
  title: {tr: 'Kulüp', en: 'Club'},
  terms: {tr: 'Haftalık', en: 'Weekly'},
  operators: [{id: 1, name: 'Bir'}],
};

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const home = await mkdtemp(path.join(tmpdir(), 'vezne-client-'));
  const inboxUrl = `http://localhost:${await freePort()}`;
  const running: Workerd[] = [];
  const start = async (...plans: Parameters<typeof Workerd.start>[0]) => {
    const workerd = await Workerd.start(plans);
    running.push(workerd);
    return workerd;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((workerd) => workerd.stop()));
    await rm(home, {recursive: true, force: true});
  };
  const startServers = async () => {
    const bundles = await bundle(home);
    const platform = (await start(planSandbox('sandbox', bundles))).url('sandbox');
    const worker = await start(
      planWorker('worker', bundles, platform, {
        ...SECRETS,
        MICROPAYMENT_URL: `${platform}/micropayment`,
        PAYMENT_PAGE_URL: `${platform}/pay`,
        LANDING_URL: `${platform}/landing`,
        ONE_CLICK: 'on',
        SERVICES: '{"DEMO":{"micropaymentId":1}}',
        OFFERS: JSON.stringify({club: CLUB}),
        ALLOWED_ORIGINS: `${ORIGIN} ${inboxUrl}`,
        RETURN_URLS: `${ORIGIN} ${inboxUrl}`,
        WEBHOOK_URL: `${inboxUrl}/vezne`,
        WEBHOOK_SECRET: SECRET,
      }),
    );
    project.provide('workerUrl', worker.url('worker'));
    project.provide('sandboxUrl', platform);
  };
  const packAndInstall = async () => {
    const merchantProject = path.join(home, 'project');
    await installClient(await packClient(path.join(home, 'package')), merchantProject);
    const packed = new LeakWatch('The packed client');
    packed.scanFolder(path.join(home, 'package'));
    packed.assertClean();
    project.provide('merchantProject', merchantProject);
  };
  try {
    await Promise.all([startServers(), packAndInstall()]);
    project.provide('inboxUrl', inboxUrl);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

/**
 * Runs once for all e2e tests: builds the site and the sandbox, and starts a stack (Worker and sandbox) for all tests
 * that do not stop a server. The sandbox of this stack notifies the Worker of payments, so that tests need not wait for
 * the next sweep. Tests that stop a server start another stack (`useIsolatedShop`), where the Worker finds payments by
 * sweeps.
 */

import type {TestProject} from 'vitest/node';
import {LeakWatch} from '../../support/leak-watch.ts';
import {type Addresses, buildOnce, builtDemo, builtSite, Stack} from './stack.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly addresses: Addresses;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildOnce();
  const watch = new LeakWatch('The built site');
  watch.scanFolder(builtSite);
  watch.assertClean();
  const demo = new LeakWatch('The built demo', {demo: true});
  demo.scanFolder(builtDemo);
  demo.assertClean();
  const stack = await Stack.start({notifiesPayments: true});
  project.provide('addresses', stack.addresses);
  return () => stack.stop();
}

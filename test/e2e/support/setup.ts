/** Once for all e2e tests: builds the kit, and starts the stack that those share which break nothing. */

import type {TestProject} from 'vitest/node';
import {LeakWatch} from '../../support/leak-watch.ts';
import {type Addresses, buildSiteOnce, builtSite, Stack} from './stack.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly addresses: Addresses;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildSiteOnce();
  const watch = new LeakWatch('The built kit');
  watch.scanFolder(builtSite);
  watch.assertClean();
  const stack = await Stack.start();
  project.provide('addresses', stack.addresses);
  return () => stack.stop();
}

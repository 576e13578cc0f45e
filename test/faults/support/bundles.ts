/**
 * Prepares all fault tests: bundles the Worker and the sandbox as `wrangler deploy` does, and installs the newer
 * workerd (`workerd-next.ts`).
 */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type {TestProject} from 'vitest/node';
import {startNode} from '../../../cli/child-process.mjs';
import {quietWranglerEnv} from '../../../cli/servers.mjs';
import {tools} from '../../../scripts/lib/repo.mjs';
import {installWorkerdNext} from './workerd-next.ts';

export interface Bundles {
  /** Path of the Worker's module. */
  readonly worker: string;
  /** Path of the sandbox's module. */
  readonly sandbox: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    readonly bundles: Bundles;
  }
}

export default async function setup(project: TestProject): Promise<() => void> {
  installWorkerdNext();
  const folder = mkdtempSync(path.join(tmpdir(), 'vezne-bundles-'));
  project.provide('bundles', await bundle(folder));
  return () => rmSync(folder, {recursive: true, force: true});
}

export async function bundle(folder: string): Promise<Bundles> {
  const [worker, sandbox] = await Promise.all([bundleOne('wrangler.toml', folder, 'worker'), bundleSandbox(folder)]);
  return {worker, sandbox};
}

export const bundleSandbox = (folder: string): Promise<string> => bundleOne('sandbox/wrangler.toml', folder, 'sandbox');

/** In a run of all steps or of several benches, the folder with the bundles that all of them use. */
export const bundlesOfRun = process.env['VEZNE_BUNDLES'];

async function bundleOne(config: string, folder: string, name: keyof Bundles): Promise<string> {
  if (bundlesOfRun) return path.join(bundlesOfRun, name, 'index.js');
  const outdir = path.join(folder, name);
  const build = startNode(
    tools.wrangler,
    ['deploy', '--dry-run', '--minify', `--config=${config}`, `--outdir=${outdir}`],
    {env: quietWranglerEnv},
  );
  if ((await build.ended) !== 0) throw new Error(build.output());
  return path.join(outdir, 'index.js');
}

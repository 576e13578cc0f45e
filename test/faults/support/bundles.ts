/**
 * Prepares all fault tests: bundles the Worker as `wrangler deploy` does, bundles the sandbox, and installs the newer
 * workerd (`workerd-next.ts`).
 */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type {TestProject} from 'vitest/node';
import {startNode} from '../../../cli/child-process.mjs';
import {quietWranglerEnv} from '../../../cli/servers.mjs';
import {repoPath, tools} from '../../../scripts/lib/repo.mjs';
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
  const [worker, sandbox] = await Promise.all([bundleWorker(folder), bundleSandbox(folder)]);
  return {worker, sandbox};
}

/** In a run of all steps or of several benches, the folder with the bundles that all of them use. */
export const bundlesOfRun = process.env['VEZNE_BUNDLES'];

const bundleWorker = (folder: string): Promise<string> =>
  run('worker', folder, tools.wrangler, (outDir) => [
    'deploy',
    '--dry-run',
    '--minify',
    '--config=wrangler.toml',
    `--outdir=${outDir}`,
  ]);

export const bundleSandbox = (folder: string): Promise<string> =>
  run('sandbox', folder, repoPath('test', 'faults', 'support', 'bundle-sandbox.mjs'), (outDir) => [outDir]);

async function run(
  name: keyof Bundles,
  folder: string,
  tool: string,
  args: (outDir: string) => string[],
): Promise<string> {
  if (bundlesOfRun) return path.join(bundlesOfRun, name, 'index.js');
  const outDir = path.join(folder, name);
  const child = startNode(tool, args(outDir), {env: quietWranglerEnv});
  if ((await child.ended) !== 0) throw new Error(child.output());
  return path.join(outDir, 'index.js');
}

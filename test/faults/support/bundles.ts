/**
 * Prepares all fault tests: bundles the Worker as `wrangler deploy` does, bundles the sandbox, and installs the newer
 * workerd (`workerd-next.ts`).
 */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {build} from 'vite';
import type {TestProject} from 'vitest/node';
import {startNode} from '../../../cli/child-process.mjs';
import {quietWranglerEnv} from '../../../cli/servers.mjs';
import {repoPath, root, tools} from '../../../scripts/lib/repo.mjs';
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

async function bundleWorker(folder: string): Promise<string> {
  if (bundlesOfRun) return path.join(bundlesOfRun, 'worker', 'index.js');
  const outdir = path.join(folder, 'worker');
  const deployment = startNode(
    tools.wrangler,
    ['deploy', '--dry-run', '--minify', '--config=wrangler.toml', `--outdir=${outdir}`],
    {env: quietWranglerEnv},
  );
  if ((await deployment.ended) !== 0) throw new Error(deployment.output());
  return path.join(outdir, 'index.js');
}

/** Bundles the sandbox with Vite, which a test runner has loaded already: a test of one file waits for it. */
export async function bundleSandbox(folder: string): Promise<string> {
  if (bundlesOfRun) return path.join(bundlesOfRun, 'sandbox', 'index.js');
  const outDir = path.join(folder, 'sandbox');
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    ssr: {noExternal: true, target: 'webworker'},
    build: {
      ssr: repoPath('sandbox', 'index.ts'),
      outDir,
      emptyOutDir: true,
      target: 'es2024',
      rolldownOptions: {
        external: [/^cloudflare:/, /^node:/],
        output: {entryFileNames: 'index.js', codeSplitting: false},
      },
    },
  });
  return path.join(outDir, 'index.js');
}

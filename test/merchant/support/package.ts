/** Packs the client with `npm pack`, and creates merchant projects in which the client is installed. */

import {execFile} from 'node:child_process';
import {cp, mkdir, mkdtemp, symlink, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {promisify} from 'node:util';
import {build} from 'vite';
import {buildClient} from '../../../scripts/build/client-package.mjs';
import {repoPath, tools} from '../../../scripts/lib/repo.mjs';

const run = promisify(execFile);

/** Runs `npm`, even if the tests were not started by npm. */
export function npm(args: readonly string[], cwd: string): Promise<{stdout: string}> {
  const script = process.env['npm_execpath'];
  // A test runner names its own environment, for which Lit has other files.
  const options = {cwd, env: {...process.env, NODE_ENV: 'production'}};
  return script ? run(process.execPath, [script, ...args], options) : run('npm', args, options);
}

/** Copies or builds the files of the package in a separate folder, and packs them. @returns path of the tarball. */
export async function packClient(folder: string): Promise<string> {
  await mkdir(folder, {recursive: true});
  for (const file of ['package.json', 'README.md', 'LICENSE', 'merchant', 'relay/launch.mjs'])
    await cp(repoPath(file), path.join(folder, file), {recursive: true});
  const dist = path.join(folder, 'dist');
  // In a run of all steps, the step `build` has built both.
  if (process.env['VEZNE_BUILT_SITE'])
    for (const part of ['merchant', 'relay'])
      await cp(repoPath('dist', part), path.join(dist, part), {recursive: true});
  else
    await Promise.all([
      buildClient(path.join(dist, 'merchant')),
      build({
        root: repoPath('relay'),
        configFile: repoPath('relay', 'vite.config.ts'),
        logLevel: 'warn',
        build: {outDir: path.join(dist, 'relay')},
      }),
    ]);
  const {stdout} = await npm(['pack', '--ignore-scripts', '--json'], folder);
  const [packed] = JSON.parse(stdout) as {filename: string}[];
  return path.join(folder, packed?.filename ?? '');
}

/** Creates a merchant's project that has the package of a tarball. `npm run examples` runs `npm install`. */
export async function installClient(tarball: string, folder: string): Promise<void> {
  const modules = path.join(folder, 'node_modules');
  await mkdir(path.join(modules, 'vezne'), {recursive: true});
  await writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify({name: 'shop', version: '1.0.0', private: true, type: 'module'}),
  );
  await run('tar', ['xzf', tarball, '--strip-components=1', '-C', path.join(modules, 'vezne')]);
}

/** Copies a merchant's project and adds files to it. @returns the folder of the copy. */
export async function copyProject(project: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'vezne-merchant-'));
  await cp(project, folder, {recursive: true, verbatimSymlinks: true});
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  return folder;
}

/** Runs a file of the project. @returns its standard output. */
export async function runFile(folder: string, file: string, env: Record<string, string> = {}): Promise<string> {
  const {stdout} = await run(process.execPath, [file], {cwd: folder, env: {...process.env, NODE_OPTIONS: '', ...env}});
  return stdout.trim();
}

/**
 * Compiles the project. `types` are packages from the repository's own `node_modules`.
 * @returns the compiler's output; empty if there are no errors.
 */
export async function compile(folder: string, options: object, types: readonly string[]): Promise<string> {
  for (const name of types) {
    const target = path.join(folder, 'node_modules', name);
    await mkdir(path.dirname(target), {recursive: true});
    await symlink(repoPath('node_modules', name), target);
  }
  const strict = {
    strict: true,
    noEmit: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    target: 'es2022',
    module: 'nodenext',
  };
  await writeFile(
    path.join(folder, 'tsconfig.json'),
    JSON.stringify({compilerOptions: {...strict, ...options}, include: ['*.ts', '*.mjs']}),
  );
  return run(process.execPath, [tools.tsc, '-p', folder, '--checkers', '1'], {cwd: folder}).then(
    ({stdout}) => stdout,
    ({stdout}: {stdout: string}) => stdout,
  );
}

/** One world: a workerd that runs the Worker, the sandbox and the stage in one isolate, on storage of its own. */

import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {type IncomingMessage, request as sendHttp} from 'node:http';
import {createRequire} from 'node:module';
import path from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {json, text as textIn} from 'node:stream/consumers';
import {startNode} from '../cli/child-process.mjs';
import {quietWranglerEnv} from '../cli/servers.mjs';
import {repoPath, tools} from '../scripts/lib/repo.mjs';
import {Violation} from './books.ts';
import type {StageAnswer, StageStep} from './stage/protocol.ts';

const workerd = createRequire(import.meta.url)('workerd').default as string;

/** The rule that a history breaks in which workerd ends by itself: it says nothing about the Worker. */
export const CRASH = 'workerd ended';

/** The folder of what was built, and the Worker's Durable Object classes. */
export type Bundle = Readonly<{folder: string; classes: readonly string[]}>;

const PARTS = 'worker sandbox sim/stage sim/chance.ts wrangler.toml package.json tsconfig.base.json'.split(' ');
/** A change of one file: `find` must occur exactly once. */
export type Edit = Readonly<Record<'file' | 'find' | 'replace', string>>;

/** Bundles the Worker, the sandbox and the stage as `wrangler deploy` does, after applying the edit to a copy. */
export async function bundle(scratch: string, edit?: Edit): Promise<Bundle> {
  const folder = mkdtempSync(path.join(scratch, 'bundle-'));
  for (const part of PARTS) cpSync(repoPath(part), path.join(folder, part), {recursive: true});
  symlinkSync(repoPath('node_modules'), path.join(folder, 'node_modules'));
  mkdirSync(path.join(folder, 'dist/site'), {recursive: true});
  if (edit) {
    const file = path.join(folder, edit.file);
    const [before, after, ...more] = readFileSync(file, 'utf8').split(edit.find);
    if (after === undefined || more.length > 0) throw new Error(`${file} does not contain once: ${edit.find}`);
    writeFileSync(file, `${before}${edit.replace}${after}`);
  }
  const index = readFileSync(path.join(folder, 'worker/index.ts'), 'utf8');
  const classes = [...index.matchAll(/^export \{(\w+)\}/gm)].map(([, name = '']) => name);
  writeFileSync(path.join(folder, 'entry.ts'), entryText(classes));
  const deploy = ['deploy', 'entry.ts', '--dry-run', '--config=wrangler.toml', '--outdir=out'];
  const build = startNode(tools.wrangler, deploy, {env: quietWranglerEnv, cwd: folder});
  if ((await build.ended) !== 0) throw new Error(build.output());
  return {folder, classes};
}

/** `globals.ts` comes first, so that no module is evaluated with the real clock. */
const entryText = (classes: readonly string[]): string => `
import './sim/stage/globals.ts';
import * as worker from './worker/index.ts';
import * as sandbox from './sandbox/index.ts';
import {shopOf, staged, stageHandler} from './sim/stage/stage.ts';
export {Stage} from './sim/stage/stage.ts';
export const Shop = shopOf(worker.default);
export const Sandbox = staged('Sandbox', sandbox.Platform);
${classes.map((name) => `export const ${name} = staged('${name}', worker.${name});`).join('\n')}
export default stageHandler;
`;

export class World {
  readonly #folder: string;
  readonly #storage: string;
  #process: ChildProcess | undefined;
  #port = 0;
  /** What workerd itself wrote, such as exceptions that no code caught. */
  stderr = '';

  constructor(built: Bundle, vars: Readonly<Record<string, string>>) {
    this.#folder = mkdtempSync(path.join(built.folder, 'world-'));
    this.#storage = path.join(this.#folder, 'storage');
    mkdirSync(this.#storage);
    cpSync(path.join(built.folder, 'out'), this.#folder, {recursive: true});
    writeFileSync(path.join(this.#folder, 'config.capnp'), configText(built, vars, this.#storage));
  }

  /** Starts a new isolate on the same storage. */
  async start(): Promise<void> {
    const child = spawn(workerd, ['serve', path.join(this.#folder, 'config.capnp'), '--control-fd=3'], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    child.stderr?.on('data', (data: Buffer) => (this.stderr = (this.stderr + data.toString()).slice(-20_000)));
    this.#port = await new Promise((resolve, reject) => {
      child.on('exit', () => reject(new Error(`workerd ended:\n${this.stderr}`)));
      child.stdio[3]?.on('data', (data: Buffer) => resolve(Number(/"port":(\d+)/.exec(data.toString())?.[1])));
    });
  }

  /** Kills the process, so that nothing more is stored. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** Everything that the objects of the Worker have stored, as text. */
  readStorage(): {className: string; text: string}[] {
    return readdirSync(this.#storage, {recursive: true, encoding: 'utf8'})
      .filter((file) => /^(?!Sandbox|Stage)\w+\/\w+\.sqlite$/.test(file))
      .map((file) => ({className: path.dirname(file), text: textOf(path.join(this.#storage, file))}))
      .filter(({text}) => text !== '');
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, {recursive: true, force: true});
  }

  /** @throws {Violation} if workerd has ended by itself. */
  async step(step: StageStep): Promise<StageAnswer> {
    const request = sendHttp({port: this.#port, host: '127.0.0.1', method: 'POST'}).end(JSON.stringify(step));
    // An error while the answer is read is thrown where it is read.
    request.on('error', () => {});
    let answer: IncomingMessage;
    try {
      [answer] = (await once(request, 'response')) as [IncomingMessage];
      if (answer.statusCode === 200) return (await json(answer)) as StageAnswer;
    } catch (error) {
      const [, fatal] = /\*\*\* (Fatal.*)/.exec(this.stderr) ?? [];
      throw fatal === undefined ? error : new Violation(fatal, {cause: CRASH});
    }
    throw new Error(`The stage failed: ${answer.statusCode} ${await textIn(answer)}\n${this.stderr}`);
  }
}

/** All rows of a database; empty if it has none. */
function textOf(file: string): string {
  const database = new DatabaseSync(file, {readOnly: true});
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  const names = tables.map(({name}) => String(name)).filter((name) => !name.startsWith('_cf_') || name === '_cf_KV');
  const rows = names.flatMap((name) => database.prepare(`SELECT * FROM "${name}"`).all());
  database.close();
  const cells = rows.flatMap((row) => Object.values(row));
  return cells.map((cell) => (cell instanceof Uint8Array ? Buffer.from(cell).toString('latin1') : cell)).join('\n');
}

function configText({classes}: Bundle, vars: Readonly<Record<string, string>>, storage: string): string {
  const quoted = JSON.stringify;
  const all = [...classes, 'Sandbox', 'Stage'];
  const texts = Object.entries(vars).map(([name, value]) => `(name = ${quoted(name)}, text = ${quoted(value)})`);
  // No actor loads a script.
  const bound = [...texts, '(name = "ASSETS", service = "sim")'];
  const namespaces = all.map(
    (name) => `(className = ${quoted(name)}, uniqueKey = ${quoted(name)}, enableSql = true, preventEviction = true)`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ["--single-threaded"],
  services = [
    (name = "storage", disk = (path = ${quoted(storage)}, writable = true)),
    (name = "sim", worker = (
      modules = [(name = "index.js", esModule = embed "entry.js")], compatibilityDate = "2026-10-01", compatibilityFlags = ["nodejs_als"],
      bindings = [${bound.join(', ')}], durableObjectNamespaces = [${namespaces.join(', ')}], durableObjectStorage = (localDisk = "storage"))),
  ],
  sockets = [(name = "sim", address = "127.0.0.1:0", http = (), service = "sim")],
);
`;
}

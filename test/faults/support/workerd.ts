/**
 * Runs many Workers in one workerd process. Each Worker has its own isolate, Durable Objects and port, so that failures
 * in one do not open the circuit of another. `stop` deletes everything that they stored.
 */

import {execFileSync} from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {type Child, startNode} from '../../../cli/child-process.mjs';
import {root} from '../../../scripts/lib/repo.mjs';
import {LeakWatch} from '../../support/leak-watch.ts';

export interface WorkerPlan {
  readonly name: string;
  /** The path of the Worker's module. */
  readonly module: string;
  /** Variables and secrets. */
  readonly vars: Readonly<Record<string, string>>;
  /** The classes of its Durable Objects. */
  readonly classes: readonly string[];
  /** The names of services by binding. `internet` is the network. */
  readonly services?: Readonly<Record<string, string>>;
  /** The port to listen on. Without it, the system chooses a free port at every start. */
  readonly port?: number;
}

const CONFIGURATION = 'config.capnp';
const runner = fileURLToPath(new URL('run-workerd.mjs', import.meta.url));

interface Running {
  readonly child: Child;
  readonly ports: ReadonlyMap<string, number>;
  /** The process id of workerd itself, which is a child of `child`. */
  readonly pid: number;
}

export class Workerd {
  readonly folder: string;
  readonly #plans: readonly WorkerPlan[];
  readonly #runtime: string;
  readonly #watch = new LeakWatch('The log of Workers', {people: true});
  #running: Running | undefined;
  readonly #killed = new WeakSet<Child>();
  #log = '';

  private constructor(folder: string, plans: readonly WorkerPlan[], runtime: string) {
    this.folder = folder;
    this.#plans = plans;
    this.#runtime = runtime;
  }

  /**
   * @param runtime - The folder in which the workerd to run is installed.
   * @param env - Environment variables of the process.
   */
  static async start(plans: readonly WorkerPlan[], runtime = root, env = {}): Promise<Workerd> {
    const folder = mkdtempSync(path.join(tmpdir(), 'vezne-workerd-'));
    mkdirSync(path.join(folder, 'storage'));
    // workerd can only embed modules that are next to its configuration.
    for (const {module} of plans) copyFileSync(module, path.join(folder, fileName(module)));
    writeFileSync(path.join(folder, CONFIGURATION), configurationText(plans, path.join(folder, 'storage')));
    const workerd = new Workerd(folder, plans, runtime);
    await workerd.restart(env);
    return workerd;
  }

  /** Starts the process again with its stored state. Workers without a fixed port get other ports. */
  async restart(env: Readonly<Record<string, string>> = {}): Promise<void> {
    const ports = new Map<string, number>();
    let log = '';
    const child = startNode(runner, [path.join(this.folder, CONFIGURATION), this.#runtime], {
      env,
      onOutput: (text) => {
        this.#log += text;
        this.#watch.scan(text);
        if (ports.size === this.#plans.length) return;
        log += text;
        for (const [, name = '', port] of log.matchAll(/\{"event":"listen","socket":"([^"]+)","port":(\d+)\}/g))
          ports.set(name, Number(port));
      },
    });
    let hasEnded = false;
    void child.ended.then(() => (hasEnded = true));
    void child.ended.then(() => this.#explainEnd(child));
    while (ports.size < this.#plans.length) {
      if (hasEnded) throw new Error(`workerd did not start:\n${log}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    this.#running = {child, ports, pid: Number(/\{"event":"start","pid":(\d+)\}/.exec(log)?.[1])};
  }

  #explainEnd(child: Child): void {
    if (!this.#killed.has(child)) console.error(`workerd ended by itself:\n${this.#log.slice(-2_000)}`);
  }

  /** Kills the process with `kill -9`, so that no Worker can store anything. */
  async kill(): Promise<void> {
    if (!this.#running) return;
    this.#killed.add(this.#running.child);
    await this.#running.child.end('SIGKILL');
  }

  /** The origin of one Worker. */
  url(name: string): string {
    return `http://127.0.0.1:${this.#running?.ports.get(name)}`;
  }

  /** Peak memory of the process in bytes; outside Linux, its current memory. */
  peakBytes(): number {
    const pid = this.#running?.pid ?? 0;
    const status = `/proc/${pid}/status`;
    const kilobytes = existsSync(status)
      ? /VmHWM:\s*(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]
      : execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], {encoding: 'utf8'});
    return Number(kilobytes) * 1024;
  }

  /** Processor time that the process has used, in ms; outside Linux, the elapsed time. */
  processorMs(): number {
    const stat = `/proc/${this.#running?.pid ?? 0}/stat`;
    if (!existsSync(stat)) return performance.now();
    // Fields 14 and 15 are the time in user mode and in the kernel, in hundredths of a second. The first two fields are
    // cut off, because the process name in brackets may contain spaces.
    const fields = readFileSync(stat, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  /** How many files the process has open; only on Linux. */
  openFiles(): number {
    return readdirSync(`/proc/${this.#running?.pid ?? 0}/fd`).length;
  }

  /** All JSON lines that the Workers have logged. */
  logLines(): Record<string, unknown>[] {
    return this.#log
      .split('\n')
      .filter((line) => line.startsWith('{"level"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** @throws if the log contains a secret or personal data. */
  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, {recursive: true, force: true});
    this.#watch.assertClean();
  }
}

function fileName(module: string): string {
  return `${path.basename(path.dirname(module))}.js`;
}

/** The text of workerd's configuration file. */
function configurationText(plans: readonly WorkerPlan[], storage: string): string {
  const text = JSON.stringify;
  const services = plans.map(({name, module, vars, classes, services: boundServices = {}}) => {
    const bindings = [
      ...Object.entries(vars).map(([variable, value]) => `(name = ${text(variable)}, text = ${text(value)})`),
      ...Object.entries(boundServices).map(
        ([binding, service]) => `(name = ${text(binding)}, service = ${text(service)})`,
      ),
    ];
    const namespaces = classes.map(
      (className) => `(className = ${text(className)}, uniqueKey = ${text(`${name}-${className}`)}, enableSql = true)`,
    );
    return `(name = ${text(name)}, worker = (
      modules = [(name = "index.js", esModule = embed ${text(fileName(module))})], compatibilityDate = "2026-10-01", compatibilityFlags = ["nodejs_als"],
      bindings = [${bindings.join(', ')}], durableObjectNamespaces = [${namespaces.join(', ')}], durableObjectStorage = (localDisk = "storage")))`;
  });
  const sockets = plans.map(
    ({name, port = 0}) => `(name = ${text(name)}, address = "127.0.0.1:${port}", http = (), service = ${text(name)})`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "storage", disk = (path = ${text(storage)}, writable = true)),
    (name = "internet", network = (allow = ["public", "private"])),
    ${services.join(',\n    ')}
  ],
  sockets = [${sockets.join(', ')}],
);
`;
}

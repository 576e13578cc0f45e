import {DurableObject} from 'cloudflare:workers';
import {reporterOf} from '../context.ts';
import {mapConcurrent} from '../lib/async.ts';
import {MINUTE_MS, SECOND_MS} from '../lib/durations.ts';
import {type LogScope, withLogScope} from '../lib/log-scope.ts';
import {describeError, log} from '../lib/log.ts';
import {retryDelayMs} from '../lib/retry.ts';
import {StoreRefusedError, type StoreSchema, StoreVersions} from './migrations.ts';
import {ObjectStorage} from './object-storage.ts';
import {
  type DueTime,
  earliest,
  isStanding,
  type Later,
  Schedule,
  type StandingTask,
  type Task,
  type TaskKind,
  TASKS,
  type Tasks,
  watchdogAt,
} from './schedule.ts';

/** While the object refuses its store, the alarm runs again after this delay. */
const REFUSED_ALARM_DELAY_MS = 5 * MINUTE_MS;
/** While tasks of an alarm run, the alarm looks again for what is due this long after a write. */
const LOOK_AGAIN_MS = 100;
/** Alarms start the tasks of a kind again at the earliest after this time, whatever is due. */
const RESTART_DELAY_MS = SECOND_MS;
const MAX_TASKS_PER_RUN = 200;
const CONCURRENCY = 6;

/**
 * The base class of every Durable Object: an object is its state, its pure decisions and its tasks.
 *
 * **Stores.** When the object wakes, it upgrades its stores to the versions that the code knows. If that is impossible,
 * the object refuses its store: every method throws `StoreRefusedError`, nothing is written, and the log has one line.
 * The alarm plans itself again. Once code that knows the store is deployed, the object works again.
 *
 * **Tasks.** This class has the only alarm. Each write through `storage` plans the alarm for the task that is due next,
 * in the same turn. The runtime writes what one turn writes together or not at all, so an object cannot die between a
 * change and the plan to act on it. The alarm starts the tasks that are due; tasks of different kinds do not wait for
 * each other. If the object dies
 * - during an alarm, the runtime runs the alarm again, and with it every task that is still due;
 * - during `runNow`, the alarm runs the task again some seconds later.
 * So a task may run twice, and whoever it calls must recognize the repetition.
 *
 * A task that fails is repeated by its `retry`. The alarm itself never throws, because the runtime gives up an alarm that
 * throws a few times. Cloudflare also holds alarms for days because of a limit of the account: therefore the first call of
 * an object that woke without an alarm plans it again. A task whose time is only in memory is then due.
 * A task that stays due although it succeeds cannot keep the alarm busy: alarms start it once a second at most.
 * A task whose times follow from `doneUntil` leaves out those that pass while the object refuses its store.
 */
export abstract class StoredObject extends DurableObject<Env> {
  /** The object's stores. */
  static readonly schemas: readonly StoreSchema[] = [];

  /** What the object stores. A constructor must not use it while `isRefused`. */
  protected readonly storage: ObjectStorage;
  /** The object's tasks that are rows. */
  protected readonly schedule: Schedule;
  /** Whether the object refuses its store. A constructor must then read and write nothing. */
  protected readonly isRefused: boolean = false;
  /** The kinds of tasks of this object, by name. */
  protected readonly tasks: Tasks = {};
  /** The fields of all log lines of this object. This is a field, because every method could be called from outside. */
  protected readonly ownLogScope: () => LogScope = () => ({});

  #hasRun = false;
  /** When the alarm runs, so that the same time is not written twice; Infinity without an alarm, undefined if unknown. */
  #alarmAt: number | undefined;
  /** When the alarm runs that an earlier instance of the object planned; Infinity if there is none, or it has run. */
  #inheritedAt: number | undefined;
  /** What was due until then was started by an alarm, also by one of an earlier instance; undefined until it is known. */
  #doneUntil: number | undefined;
  #isPlanning = false;
  /** Lets the alarm that runs look again for what is due; null if no alarm runs. */
  #wakeAlarm: (() => void) | null = null;
  /** The kinds of tasks that run, and when each is due again if the object dies. */
  readonly #running = new Map<string, {readonly done: Promise<void>; readonly againAt: number}>();
  /** When an alarm last started the tasks of each kind. */
  readonly #startedAt = new Map<string, number>();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    let versions!: StoreVersions;
    try {
      versions = new StoreVersions(ctx.storage, [...new.target.schemas, TASKS]);
    } catch (error) {
      if (!(error instanceof StoreRefusedError)) throw error;
      this.isRefused = true;
      logRefusal(error);
      Object.setPrototypeOf(this, refusingPrototype(this, error));
    }
    this.storage = new ObjectStorage(ctx.storage, versions, () => this.plan());
    this.schedule = new Schedule(this.storage);
  }

  /**
   * Runs a method of this object in the caller's log scope, so that log lines of the object name the request or the
   * alarm that called it. `Objects` makes all calls in this way.
   */
  async runInScope(scope: LogScope, method: string, args: readonly unknown[]): Promise<unknown> {
    const methods = this as unknown as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
    return this.#run(scope, () => methods[method]?.(...args));
  }

  override async alarm(info?: AlarmInvocationInfo): Promise<void> {
    // What this alarm was planned for is due, even if the clock was set back since.
    const plannedFor = Number.isFinite(this.#alarmAt) ? (this.#alarmAt ?? 0) : 0;
    const isInherited = this.#inheritedAt !== Infinity;
    this.#hasRun = true;
    this.#doneUntil ??= info && info.scheduledTime - 1;
    this.#alarmAt = this.#inheritedAt = Infinity;
    await this.#run({alarm_id: crypto.randomUUID()}, async () => {
      try {
        await this.#runWhileDue(plannedFor, isInherited);
        this.#wakeAlarm = null;
        this.plan();
      } catch (error) {
        this.#wakeAlarm = null;
        log('error', 'internal_error', {error: describeError(error)});
        this.#alarmAt = Date.now() + REFUSED_ALARM_DELAY_MS;
        await this.ctx.storage.setAlarm(this.#alarmAt);
      }
    });
  }

  /** Plans the alarm at the end of this turn. Only a change of `dueAt` that writes nothing has to call this. */
  protected plan(): void {
    this.#wakeAlarm?.();
    if (this.#isPlanning || this.#wakeAlarm) return;
    this.#isPlanning = true;
    queueMicrotask(() => void this.#planAlarm());
  }

  /**
   * Runs a standing task now, whether it is due or not, or the tasks of a kind that are due. Never throws: a failure is
   * logged, and the alarm repeats the task. If it runs already, its end is awaited.
   */
  protected runNow(kind: string): Promise<void> {
    return this.#runKind(kind, Date.now());
  }

  /** Deletes everything that the object has stored, and the alarm. */
  protected async erase(): Promise<void> {
    this.#alarmAt = this.#inheritedAt = Infinity;
    await this.storage.versions.erase();
  }

  async #run(scope: LogScope, work: () => unknown): Promise<unknown> {
    try {
      return await withLogScope({...scope, ...(this.isRefused ? {} : this.ownLogScope())}, work);
    } finally {
      if (!this.#hasRun && !this.isRefused) this.plan();
      this.#hasRun = true;
      reporterOf(this.env)?.sendIfDue();
    }
  }

  /**
   * Plans the alarm for the task that is due next. If nothing is due, an alarm that is planned stays: it finds nothing to
   * do. Nothing is awaited but `getAlarm`, which answers in the same turn.
   */
  async #planAlarm(): Promise<void> {
    try {
      this.#isPlanning = false;
      const now = Date.now();
      if (this.#alarmAt === undefined) {
        const stored = await this.ctx.storage.getAlarm();
        // Another plan may have set the alarm meanwhile.
        this.#alarmAt ??= stored ?? Infinity;
        this.#inheritedAt ??= stored ?? (this.storage.versions.isKnown ? now : Infinity);
        this.#doneUntil ??= Math.min((stored ?? 1) - 1, now);
      }
      if (this.#wakeAlarm) return;
      const due = earliest(...this.#dueTimes().values());
      const planned = this.#alarmAt;
      const latest = this.#afterWaking().length > 0 ? (this.#inheritedAt ?? Infinity) : Infinity;
      const next = Math.min(due ?? Infinity, latest);
      if (next === Infinity) return;
      const at = Math.max(now, next);
      if (planned === at || (planned <= now && next <= now) || (planned < at && this.#isAlarmHeld())) return;
      this.#alarmAt = at;
      await this.ctx.storage.setAlarm(at);
    } catch (error) {
      this.#alarmAt = undefined;
      log('error', 'internal_error', {error: describeError(error)});
    }
  }

  #isAlarmHeld(): boolean {
    return Object.entries(this.tasks).some(
      ([kind, task]) => isStanding(task) && task.holdsAlarm && this.#running.has(kind),
    );
  }

  /** When an alarm starts the tasks of each kind. A task that runs is due again when its watchdog ends. */
  #dueTimes(): Map<string, DueTime> {
    const rows = this.schedule.dueTimes();
    const now = Date.now();
    return new Map(
      Object.entries(this.tasks).map(([kind, definition]) => {
        const [row, running] = [rows.get(kind) ?? null, this.#running.get(kind)];
        if (running) return [kind, isStanding(definition) && definition.holdsAlarm ? null : running.againAt];
        const due = isStanding(definition) ? this.#dueAtOf(kind, definition, row ? 0 : this.#doneUntil) : row;
        // A start in the future shows that the clock was set back since.
        const startedAt = this.#startedAt.get(kind) ?? Infinity;
        const restartAt = startedAt <= now ? startedAt + RESTART_DELAY_MS : -Infinity;
        return [kind, due === null ? null : Math.max(due, row ?? due, restartAt)];
      }),
    );
  }

  /** When a standing task is due. An error concerns only this task, and is shown again and again until it is mended. */
  #dueAtOf(kind: string, task: StandingTask, doneUntil = 0): DueTime {
    try {
      return task.dueAt(doneUntil);
    } catch (error) {
      log('error', 'internal_error', {task: kind, error: describeError(error)});
      return Math.ceil((Date.now() + 1) / REFUSED_ALARM_DELAY_MS) * REFUSED_ALARM_DELAY_MS;
    }
  }

  /**
   * Starts what is due, and what becomes due meanwhile, and waits for it, and for what ran when the alarm began.
   * @param isInherited - Whether an earlier instance of the object may have planned the alarm.
   */
  async #runWhileDue(plannedFor: number, isInherited: boolean): Promise<void> {
    const open = new Set<Promise<void>>();
    const waitFor = (run: Promise<void>) => {
      open.add(run);
      void run.finally(() => open.delete(run));
    };
    for (const {done} of this.#running.values()) waitFor(done);
    const last = new Set(isInherited ? this.#afterWaking() : []);
    for (let now = Math.max(Date.now(), plannedFor); ; now = Date.now()) {
      const {promise: woken, resolve} = Promise.withResolvers<void>();
      let timer: ReturnType<typeof setTimeout> | null = null;
      this.#wakeAlarm = () => (timer ??= setTimeout(resolve, LOOK_AGAIN_MS));
      const start = (kind: string) => {
        last.delete(kind);
        this.#startedAt.set(kind, Date.now());
        waitFor(this.#runKind(kind, now));
      };
      let next = Infinity;
      for (const [kind, due] of this.#dueTimes()) {
        if (due === null || this.#running.has(kind)) continue;
        if (due > now) next = Math.min(next, due);
        else start(kind);
      }
      this.#doneUntil = now;
      if (open.size === 0) for (const kind of last) start(kind);
      if (open.size === 0) return clearTimeout(timer);
      const dueTimer = setTimeout(resolve, Math.min(next - now, MINUTE_MS));
      await Promise.race([...open, woken]);
      clearTimeout(dueTimer);
      clearTimeout(timer);
    }
  }

  /** The kinds of tasks that an alarm of an earlier instance runs in any case. */
  #afterWaking(): string[] {
    return Object.entries(this.tasks).flatMap(([kind, task]) => (isStanding(task) && task.afterWaking ? [kind] : []));
  }

  /** Runs what is due of a kind, unless it runs already; then its end is awaited. Never throws. */
  #runKind(kind: string, now: number): Promise<void> {
    const known = this.#running.get(kind);
    if (known) return known.done;
    const {promise: done, resolve: end} = Promise.withResolvers<void>();
    this.#running.set(kind, {done, againAt: watchdogAt(Date.now())});
    void this.#runAll(kind, now)
      .catch((error: unknown) => log('error', 'internal_error', {task: kind, error: describeError(error)}))
      .finally(() => {
        this.#running.delete(kind);
        this.plan();
        end();
      });
    return done;
  }

  async #runAll(kind: string, now: number): Promise<void> {
    const definition = this.tasks[kind];
    if (!definition) throw new TypeError(`There is no task ${kind}.`);
    if (isStanding(definition)) return this.#runStanding(kind, definition);
    const due = this.schedule.due(kind, now, MAX_TASKS_PER_RUN);
    await mapConcurrent(CONCURRENCY, due, (task) => this.#runTask(kind, definition, task));
  }

  async #runStanding(kind: string, task: StandingTask): Promise<void> {
    const later = await attempt(kind, () => task.run());
    const [last, next] = [
      this.schedule.failuresOf(kind),
      later ? this.schedule.failuresAfter(kind, task, later) : null,
    ];
    if (next?.retryAt !== last?.retryAt) this.schedule.setFailures(kind, next);
  }

  async #runTask(kind: string, definition: TaskKind<unknown>, task: Task): Promise<void> {
    const later = await attempt(kind, () => definition.run(task.payload, task));
    const now = Date.now();
    if (!later || (later === 'retry' && now - task.since >= (definition.giveUpAfterMs ?? Infinity)))
      return this.schedule.end(kind, task);
    const failures = later === 'retry' ? task.tries + 1 : task.tries;
    const retryAt = later === 'retry' ? now + retryDelayMs(definition.retry, failures) : later.at;
    this.schedule.repeat(kind, task, {failures, retryAt});
  }
}

/** Runs a task. An error is logged, and is a failure. */
async function attempt(kind: string, run: () => Promise<Later | void>): Promise<Later | void> {
  try {
    return await run();
  } catch (error) {
    log('error', 'internal_error', {task: kind, error: describeError(error)});
    return 'retry';
  }
}

function logRefusal({store, version, cause}: StoreRefusedError): void {
  if (version !== null) log('error', 'store_newer_than_code', {store, version});
  else log('error', 'store_upgrade_failed', {store, error: describeError(cause)});
}

/** A prototype with the methods of this object. Every method throws the error, except `alarm`. */
function refusingPrototype(object: StoredObject, error: StoreRefusedError): object {
  const {storage} = (object as unknown as {ctx: DurableObjectState}).ctx;
  const prototype = Object.getPrototypeOf(object) as object;
  const methods: Record<string, () => unknown> = {};
  for (let at = prototype; at !== StoredObject.prototype; at = Object.getPrototypeOf(at) as object)
    for (const name of Object.getOwnPropertyNames(at))
      if (name !== 'constructor') methods[name] = () => Promise.reject(error);
  methods['alarm'] = () => storage.setAlarm(Date.now() + REFUSED_ALARM_DELAY_MS);
  return Object.assign(Object.create(prototype) as object, methods);
}

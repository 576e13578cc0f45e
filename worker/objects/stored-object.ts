import {DurableObject} from 'cloudflare:workers';
import {reporterOf} from '../context.ts';
import {MINUTE_MS} from '../lib/durations.ts';
import {type LogScope, withLogScope} from '../lib/log-scope.ts';
import {describeError, log} from '../lib/log.ts';
import {StoreRefusedError, type StoreSchema, StoreVersions} from './migrations.ts';

/** While the object refuses its store, the alarm runs again after this delay. */
const REFUSED_ALARM_DELAY_MS = 5 * MINUTE_MS;

/**
 * The base class of every Durable Object. When the object wakes, it upgrades its stores to the versions that the code
 * knows. If that is impossible, the object refuses its store: every method throws `StoreRefusedError`, nothing is
 * written, and the log has one line. The alarm plans itself again and does not throw, because the runtime gives up an
 * alarm that throws a few times. Once code that knows the store is deployed, the object works again.
 */
export abstract class StoredObject extends DurableObject<Env> {
  /** The object's stores. */
  static readonly schemas: readonly StoreSchema[] = [];

  /** The versions of the object's stores. A constructor must not use them while `isRefused`. */
  protected readonly versions!: StoreVersions;
  /** Whether the object refuses its store. A constructor must then read and write nothing. */
  protected readonly isRefused: boolean = false;
  /**
   * Plans the alarm for what is due. Cloudflare gives up an alarm that failed a few times, or that it held for seven days
   * because of a limit of the account. So the first call of an object that woke without an alarm plans it again.
   */
  protected readonly restoreAlarm: (() => Promise<void>) | null = null;
  #hasRun = false;
  /** The fields of all log lines of this object. This is a field, because every method could be called from outside. */
  protected readonly ownLogScope: () => LogScope = () => ({});

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    try {
      this.versions = new StoreVersions(ctx.storage, new.target.schemas);
    } catch (error) {
      if (!(error instanceof StoreRefusedError)) throw error;
      this.isRefused = true;
      logRefusal(error);
      Object.setPrototypeOf(this, refusingPrototype(this, error));
    }
    if ('alarm' in this) Object.defineProperty(this, 'alarm', {value: () => this.#runAlarm()});
  }

  /**
   * Runs a method of this object in the caller's log scope, so that log lines of the object name the request or the
   * alarm that called it. `Objects` makes all calls in this way.
   */
  async runInScope(scope: LogScope, method: string, args: readonly unknown[]): Promise<unknown> {
    const methods = this as unknown as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
    return this.#run(scope, () => methods[method]?.(...args));
  }

  /** Runs the alarm of the object's class in a new log scope. */
  #runAlarm(): Promise<unknown> {
    const {alarm} = Object.getPrototypeOf(this) as {alarm: () => Promise<void>};
    this.#hasRun = true;
    return this.#run({alarm_id: crypto.randomUUID()}, () => alarm.call(this));
  }

  async #run(scope: LogScope, task: () => unknown): Promise<unknown> {
    try {
      return await withLogScope({...scope, ...(this.isRefused ? {} : this.ownLogScope())}, task);
    } finally {
      if (!this.#hasRun) await this.#checkAlarm();
      reporterOf(this.env)?.sendIfDue();
    }
  }

  async #checkAlarm(): Promise<void> {
    this.#hasRun = true;
    if (this.restoreAlarm === null || this.isRefused) return;
    try {
      if ((await this.ctx.storage.getAlarm()) === null) await this.restoreAlarm();
    } catch (error) {
      log('warn', 'internal_error', {error: describeError(error)});
    }
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

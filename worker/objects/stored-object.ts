import {DurableObject} from 'cloudflare:workers';
import {MINUTE_MS} from '../lib/durations.ts';
import {describeError, log} from '../lib/log.ts';
import {StoreRefusedError, type StoreSchema, StoreVersions} from './migrations.ts';

/** How long an alarm is put off while the object refuses its store. */
const REFUSED_ALARM_DELAY_MS = 5 * MINUTE_MS;

/**
 * The base class of every Durable Object. When the object wakes, it upgrades its stores to the versions that the code
 * knows. If that is impossible, the object refuses its store: every method throws `StoreRefusedError`, nothing is
 * written, and the log has one line. The alarm is put off and does not throw, because the runtime gives up an alarm
 * that throws a few times. The object continues by itself once code that knows the store is deployed.
 */
export abstract class StoredObject extends DurableObject<Env> {
  /** The object's stores. */
  static readonly schemas: readonly StoreSchema[] = [];

  /** The versions of the object's stores. A constructor must not use them while `isRefused`. */
  protected readonly versions!: StoreVersions;
  /** Whether the object refuses its store. A constructor must then read and write nothing. */
  protected readonly isRefused: boolean = false;

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
  }
}

function logRefusal({store, version, cause}: StoreRefusedError): void {
  if (version !== null) log('error', 'store_newer_than_code', {store, version});
  else log('error', 'store_upgrade_failed', {store, error: describeError(cause)});
}

/** A prototype with the methods of this object. All of them throw the error, except the alarm. */
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

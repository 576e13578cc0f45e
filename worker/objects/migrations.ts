/**
 * Gives every store of a Durable Object a schema version, and runs the steps that lead from one version to the next. A
 * store is a group of tables and keys that are described by one `StoreSchema`; an object has one or more stores. The
 * versions are in the table `_schema_migrations`. docs/contributing.md says how to change a store.
 */

/** SQL, which may consist of several statements, or a function. The function must not wait for anything. */
export type Step = string | ((storage: DurableObjectStorage) => void);

export interface StoreSchema {
  /** The store's name in `_schema_migrations` and in the log. It never changes. */
  readonly name: string;
  /**
   * Step n leads from version n - 1 to version n. Steps are only ever added at the end: a step that was released never
   * changes.
   */
  readonly steps: readonly Step[];
  /**
   * `wake`: the store is created when its object wakes. `first write`: the store is created by `StoreVersions.create`,
   * because anybody can cause an object of this class to wake, and the object must not store anything for strangers.
   * `first key`: like `first write`, for a store that has no table. Its first version is not written: an object that
   * has keys and no version of the store has version 1. Classes with very many short-lived objects use such a store,
   * because a version would cost more than their data.
   */
  readonly createdOn: 'wake' | 'first write' | 'first key';
}

/** The first step of a store that consists of keys and has no table. */
export const NO_TABLES: Step = () => {};

/** A step that executes these statements. */
export const statements = (...all: readonly string[]): Step => all.join(';\n');

/** The object's store cannot be used by this code. Nothing was changed in it. */
export class StoreRefusedError extends Error {
  override readonly name = 'StoreRefusedError';

  constructor(
    /** Names the store. */
    readonly store: string,
    /** The version of the store, if it is newer than the code; null if a step failed. */
    readonly version: number | null,
    options?: ErrorOptions,
  ) {
    super(
      version === null
        ? `The store ${store} could not be upgraded`
        : `The store ${store} has schema version ${version}, which is newer than this code`,
      options,
    );
  }
}

/** Whether a call to a Durable Object failed because the object refuses its store. The call changed nothing. */
export function isStoreRefused(error: unknown): boolean {
  return error instanceof Error && error.name === 'StoreRefusedError';
}

type VersionRow = {store: string; version: number};

/** The versions of an object's stores. */
export class StoreVersions {
  /** The versions of the stores that exist. */
  #versions: ReadonlyMap<string, number>;
  /** Whether the object has the table `_schema_migrations`. */
  #hasTable: boolean;
  /** Whether an earlier instance of the object has stored something. */
  readonly isKnown: boolean;

  /**
   * Upgrades the object's stores in one transaction. Reads one row for each store.
   * @throws {StoreRefusedError} if a store is newer than its schema or unknown, or if a step failed.
   */
  constructor(
    private readonly storage: DurableObjectStorage,
    schemas: readonly StoreSchema[],
  ) {
    const written = this.#read();
    this.#hasTable = written !== null;
    const versions = new Map(written);
    for (const [name, version] of versions) {
      const schema = schemas.find((one) => one.name === name);
      if (!schema || version > schema.steps.length) throw new StoreRefusedError(name, version);
    }
    for (const {name, createdOn} of schemas)
      if (createdOn === 'first key' && !versions.has(name) && this.#hasKeys()) versions.set(name, 1);
    this.isKnown = versions.size > 0;
    this.#versions = versions;
    const outdated = schemas.filter(({name, steps, createdOn}) => {
      const version = versions.get(name);
      return version === undefined ? createdOn === 'wake' : version < steps.length;
    });
    if (outdated.length > 0) this.#upgrade(outdated);
  }

  has({name}: StoreSchema): boolean {
    return this.#versions.has(name);
  }

  /** Creates the store if it does not exist. To be called together with the first write to the store. */
  create(schema: StoreSchema): void {
    if (this.has(schema)) return;
    if (schema.createdOn === 'first key' && schema.steps.length === 1)
      this.#versions = new Map(this.#versions).set(schema.name, 1);
    else this.#upgrade([schema]);
  }

  /** Runs the work in one transaction. If it throws, the stores that it created do not exist. */
  transaction<T>(work: () => T): T {
    const [versions, hasTable] = [this.#versions, this.#hasTable];
    try {
      return this.storage.transactionSync(work);
    } catch (error) {
      this.#versions = versions;
      this.#hasTable = hasTable;
      throw error;
    }
  }

  /** Deletes everything that the object has stored, the alarm and the versions included. */
  async erase(): Promise<void> {
    this.#versions = new Map();
    this.#hasTable = false;
    await Promise.all([this.storage.deleteAlarm(), this.storage.deleteAll()]);
  }

  #hasKeys(): boolean {
    for (const _key of this.storage.kv.list({limit: 1})) return true;
    return false;
  }

  #read(): Map<string, number> | null {
    try {
      const rows = this.storage.sql.exec<VersionRow>('SELECT store, version FROM _schema_migrations').toArray();
      return new Map(rows.map(({store, version}) => [store, version]));
    } catch (error) {
      if (error instanceof Error && error.message.includes('no such table: _schema_migrations')) return null;
      throw error;
    }
  }

  #upgrade(schemas: readonly StoreSchema[]): void {
    const versions = new Map(this.#versions);
    this.storage.transactionSync(() => {
      const {sql} = this.storage;
      if (!this.#hasTable)
        sql.exec('CREATE TABLE _schema_migrations (store TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID');
      for (const {name, steps} of schemas) {
        for (const step of steps.slice(versions.get(name) ?? 0)) this.#run(name, step);
        sql.exec('INSERT OR REPLACE INTO _schema_migrations (store, version) VALUES (?, ?)', name, steps.length);
        versions.set(name, steps.length);
      }
    });
    this.#versions = versions;
    this.#hasTable = true;
  }

  #run(store: string, step: Step): void {
    try {
      if (typeof step === 'string') this.storage.sql.exec(step);
      else step(this.storage);
    } catch (cause) {
      throw new StoreRefusedError(store, null, {cause});
    }
  }
}

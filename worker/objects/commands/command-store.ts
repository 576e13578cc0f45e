/** Stores the commands of a service. Each command has one row, which is written before anything is sent. */

import type {CommandName} from '../../contract/merchant/commands.ts';
import {MINUTE_MS} from '../../lib/durations.ts';
import {type StoreSchema, statements} from '../migrations.ts';
import {assignments, type ObjectStorage, type SqlPart, sqlPart} from '../object-storage.ts';
import type {DueTime} from '../schedule.ts';
import type {CommandRefusal} from './command.ts';

/**
 * - `begun`: the Worker is reading how the subject is before the command (`before`); nothing was sent.
 * - `queued`: the platform's daily limit is reached, so the command waits for the next day; nothing was sent.
 * - `sending`: the command may have been sent.
 * - `unknown`: the command was sent; its outcome is not known. If it has a result, the platform has begun to do it.
 * - `done`, `failed`: the command is settled. A failed command changed nothing.
 */
export type CommandState = 'begun' | 'queued' | 'sending' | 'unknown' | 'done' | 'failed';

export interface CommandRow {
  readonly id: string;
  readonly name: CommandName;
  readonly subject: string;
  readonly state: CommandState;
  /** The input, in the form that its `CommandDefinition` stores. */
  readonly stored: object;
  /** The API key of the server that requested the command; null for a page. */
  readonly askedBy: string | null;
  readonly before: object | null;
  readonly result: object | null;
  readonly refusal: CommandRefusal | null;
  /** Whether the command was ever queued because of a limit. */
  readonly waited: boolean;
  /** How many reads showed no trace of the command since it was sent. */
  readonly absences: number;
  /** How many tries in a row failed: to send a queued command, to read the outcome, or to report it. */
  readonly failures: number;
  /** How many reads showed that the platform has only begun the command. */
  readonly begunReads: number;
  /** All times here are epoch milliseconds. */
  readonly createdAt: number;
  readonly sentAt: number | null;
  readonly settledAt: number | null;
  /** When the alarm must work on the command next; null for never. */
  readonly dueAt: number | null;
}

/**
 * How long an unverifiable command blocks other commands of its subject. After this time it cannot be on its way to the
 * platform.
 */
const UNVERIFIABLE_LOCK_MS = 12 * MINUTE_MS;

export const COMMANDS: StoreSchema = {
  name: 'commands',
  createdOn: 'wake',
  steps: [
    statements(
      `CREATE TABLE commands (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, subject TEXT NOT NULL, state TEXT NOT NULL, stored TEXT NOT NULL, asked_by TEXT, before TEXT, result TEXT,
        refusal TEXT, waited INTEGER NOT NULL DEFAULT 0, absences INTEGER NOT NULL DEFAULT 0, failures INTEGER NOT NULL DEFAULT 0,
        begun_reads INTEGER NOT NULL DEFAULT 0,
        created_at INTEGER NOT NULL, sent_at INTEGER, settled_at INTEGER, due_at INTEGER)`,
      'CREATE INDEX commands_subject ON commands (name, subject)',
      'CREATE INDEX commands_due ON commands (due_at) WHERE due_at IS NOT NULL',
      'CREATE INDEX commands_created_at ON commands (created_at)',
      // With this index, `deleteSettled` reads only the rows that it deletes, although most rows are settled.
      'CREATE INDEX commands_settled ON commands (settled_at) WHERE due_at IS NULL',
      `CREATE INDEX commands_unverifiable ON commands (created_at) WHERE state = 'unknown' AND due_at IS NULL`,
    ),
  ],
};

type Row = {
  id: string;
  name: string;
  subject: string;
  state: string;
  stored: string;
  asked_by: string | null;
  before: string | null;
  result: string | null;
  refusal: string | null;
  waited: number;
  absences: number;
  failures: number;
  begun_reads: number;
  created_at: number;
  sent_at: number | null;
  settled_at: number | null;
  due_at: number | null;
};

/** What can change in a row. */
export type CommandChange = Partial<Omit<CommandRow, 'id' | 'name' | 'subject' | 'stored' | 'askedBy' | 'createdAt'>>;

const COLUMNS: Readonly<Record<keyof CommandChange, string>> = {
  state: 'state',
  before: 'before',
  result: 'result',
  refusal: 'refusal',
  waited: 'waited',
  absences: 'absences',
  failures: 'failures',
  begunReads: 'begun_reads',
  sentAt: 'sent_at',
  settledAt: 'settled_at',
  dueAt: 'due_at',
};

export class CommandStore {
  constructor(private readonly storage: ObjectStorage) {}

  /**
   * Corrects the states after a restart, when no command is running. A command in the state `begun` was never sent. The
   * outcome of a command in the state `sending` is unknown.
   */
  recover(now: number): void {
    this.storage.sql`DELETE FROM commands WHERE state = 'begun' AND waited = 0`;
    this.storage.sql`UPDATE commands SET state = 'queued', due_at = ${now} WHERE state = 'begun'`;
    this.storage.sql`UPDATE commands SET state = 'unknown', due_at = ${now} WHERE state = 'sending'`;
  }

  /**
   * Adds a command. Its `createdAt` is always later than the `createdAt` of every other row, even if the clock was set
   * back, because lists are paged by `createdAt`.
   */
  add(
    {id, name, subject, stored, askedBy}: Pick<CommandRow, 'id' | 'name' | 'subject' | 'stored' | 'askedBy'>,
    now: number,
    dueAt: number,
  ): void {
    this.storage.sql`
      INSERT INTO commands (id, name, subject, state, stored, asked_by, created_at, due_at)
      VALUES (${id}, ${name}, ${subject}, 'begun', ${JSON.stringify(stored)}, ${askedBy},
        max(${now}, coalesce((SELECT max(created_at) FROM commands), 0) + 1), ${dueAt})`;
  }

  change(id: string, change: CommandChange): void {
    const entries = Object.entries(change) as [keyof CommandChange, CommandChange[keyof CommandChange]][];
    const columns = Object.fromEntries(entries.map(([name, value]) => [COLUMNS[name], toColumn(value)]));
    this.storage.sql`UPDATE commands SET ${assignments(columns)} WHERE id = ${id}`;
  }

  remove(id: string): void {
    this.storage.sql`DELETE FROM commands WHERE id = ${id}`;
  }

  find(id: string): CommandRow | undefined {
    return this.#select(sqlPart`id = ${id}`)[0];
  }

  /** Returns a command that must exist, because the caller is working on it. */
  get(id: string): CommandRow {
    const command = this.find(id);
    if (!command) throw new Error('A command was deleted while it was running');
    return command;
  }

  /**
   * Unsettled commands of the same subject, oldest first. An unverifiable command is included only for a while after it
   * was sent.
   */
  unsettled(subject: CommandSubject, now: number): CommandRow[] {
    return this.#select(sqlPart`
      ${isAbout(subject)} AND state IN ('begun', 'queued', 'sending', 'unknown')
      AND (due_at IS NOT NULL OR sent_at > ${now - UNVERIFIABLE_LOCK_MS}) ORDER BY created_at`);
  }

  /** Commands of a subject that may have done something of which other objects do not know yet. */
  unreported(subject: CommandSubject): CommandRow[] {
    return this.#select(sqlPart`${isAbout(subject)} AND state <> 'failed' AND (state <> 'done' OR due_at IS NOT NULL)`);
  }

  /** The commands of a subject with these names, oldest first. */
  ofSubject(names: readonly CommandRow['name'][], subject: string): CommandRow[] {
    return this.#select(sqlPart`name ${isOneOf(names)} AND subject = ${subject} ORDER BY created_at`);
  }

  /** Removes what the platform wrote about the commands of a subject. */
  forgetPersons(names: readonly CommandRow['name'][], subject: string): void {
    this.storage.sql`
      UPDATE commands SET refusal = json_set(refusal, '$.failure.message', '')
      WHERE name ${isOneOf(names)} AND subject = ${subject} AND refusal ->> '$.failure.message' <> ''`;
  }

  /** The results of the other commands of the same subject. */
  otherResults({id, ...subject}: CommandSubject & Pick<CommandRow, 'id'>): object[] {
    return this.storage.sql<{result: string}>`
      SELECT result FROM commands
      WHERE ${isAbout(subject)} AND id <> ${id} AND state = 'done' AND result IS NOT NULL`.map(
      ({result}) => JSON.parse(result) as object,
    );
  }

  /** Settles the unverifiable commands of this subject as done, because another command of the subject was done. */
  settleUnverifiable(subject: CommandSubject, result: object, now: number): CommandRow[] {
    const unverifiable = this.#select(sqlPart`${isAbout(subject)} AND state = 'unknown' AND due_at IS NULL`);
    for (const {id} of unverifiable) this.change(id, {state: 'done', result, settledAt: now});
    return unverifiable.map(({id}) => this.get(id));
  }

  /** The commands that are due. The command that has been due for the longest time comes first. */
  due(now: number, limit: number): CommandRow[] {
    return this.#select(sqlPart`due_at <= ${now} ORDER BY due_at LIMIT ${limit}`);
  }

  /** When the first command is due; null if nothing is due. */
  dueAt(): DueTime {
    return this.#timeOf(sqlPart`min(due_at) AS at FROM commands WHERE due_at IS NOT NULL`);
  }

  /**
   * Commands in these states, oldest first.
   * @param after - The creation time of the last command on the previous page.
   */
  list(states: readonly CommandState[], after: number, limit: number): CommandRow[] {
    return this.#select(sqlPart`state ${isOneOf(states)} AND created_at > ${after} ORDER BY created_at LIMIT ${limit}`);
  }

  count(states: readonly CommandState[]): number {
    const [row] = this.storage.sql<{count: number}>`
      SELECT count(*) AS count FROM commands WHERE state ${isOneOf(states)}`;
    return row?.count ?? 0;
  }

  /** Deletes old settled and unverifiable commands, and the personal data in them. */
  deleteSettled(settledBefore: number, unverifiableBefore: number): void {
    this.storage.sql`DELETE FROM commands WHERE settled_at <= ${settledBefore} AND due_at IS NULL`;
    this.storage.sql`
      DELETE FROM commands WHERE state = 'unknown' AND due_at IS NULL AND created_at <= ${unverifiableBefore}`;
  }

  /** When the oldest settled command was settled; null when there is none. */
  oldestSettledAt(): DueTime {
    return this.#timeOf(sqlPart`min(settled_at) AS at FROM commands WHERE due_at IS NULL`);
  }

  /** When the oldest unverifiable command was created; null when there is none. */
  oldestUnverifiableAt(): DueTime {
    return this.#timeOf(sqlPart`min(created_at) AS at FROM commands WHERE state = 'unknown' AND due_at IS NULL`);
  }

  #timeOf(selection: SqlPart): DueTime {
    return this.storage.sql<{at: DueTime}>`SELECT ${selection}`[0]?.at ?? null;
  }

  #select(clause: SqlPart): CommandRow[] {
    return this.storage.sql<Row>`SELECT * FROM commands WHERE ${clause}`.map(toCommand);
  }
}

type CommandSubject = Pick<CommandRow, 'name' | 'subject'>;

const isAbout = ({name, subject}: CommandSubject) => sqlPart`name = ${name} AND subject = ${subject}`;

const isOneOf = (list: readonly string[]) => sqlPart`IN (SELECT value FROM json_each(${JSON.stringify(list)}))`;

function toColumn(value: CommandChange[keyof CommandChange]): string | number | null {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null);
}

function toCommand(row: Row): CommandRow {
  return {
    id: row.id,
    name: row.name as CommandName,
    subject: row.subject,
    state: row.state as CommandState,
    stored: JSON.parse(row.stored) as object,
    askedBy: row.asked_by,
    before: parse(row.before),
    result: parse(row.result),
    refusal: parse(row.refusal) as CommandRefusal | null,
    waited: row.waited === 1,
    absences: row.absences,
    failures: row.failures,
    begunReads: row.begun_reads,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    settledAt: row.settled_at,
    dueAt: row.due_at,
  };
}

function parse(text: string | null): object | null {
  return text === null ? null : (JSON.parse(text) as object);
}

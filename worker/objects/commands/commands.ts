import {contextOf} from '../../context.ts';
import type {ErrorCode} from '../../contract/codes.ts';
import type {CommandName} from '../../contract/merchant/commands.ts';
import {mapConcurrent} from '../../lib/async.ts';
import {DAY_MS, MINUTE_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import type {Kurus} from '../../lib/money.ts';
import type {Retry} from '../../lib/retry.ts';
import {EventQueue, PENDING_EVENTS} from '../events/event-queue.ts';
import type {QueuePosition} from '../platform/quota.ts';
import {earliest, endOfRetention} from '../schedule.ts';
import {StoredObject} from '../stored-object.ts';
import {CommandRunner, type CommandOutcome, WATCHDOG_MS} from './command-runner.ts';
import {type CommandRow, type CommandState, COMMANDS, CommandStore} from './command-store.ts';
import {commandNamed, type StoredOf} from './registry.ts';

/** A command as a page or a merchant's server requests it. */
export interface CommandRequest {
  readonly name: CommandName;
  /** The command's input, as plain data. */
  readonly input: object;
  /** Whether the command may wait for the next day if the platform's daily limit is reached. */
  readonly mayQueue: boolean;
  /** The API key of the server that requests the command; null if a page requests it. */
  readonly askedBy: string | null;
  /** If true, the caller only wants the outcome of an earlier run, so a command that is not stored is not run. */
  readonly isReplay?: boolean;
}

export interface CommandView extends CommandRow {
  /** Null when the command is not queued. */
  readonly queuePosition: QueuePosition | null;
}

export interface CommandPage {
  readonly items: CommandView[];
  /** How many commands are in the requested states. */
  readonly total: number;
}

/**
 * How long a settled command is kept. The idempotency key of the command is valid for a shorter time: three days after
 * its last use. Unverifiable commands stay on the list for longer.
 */
const SETTLED_RETENTION_MS = 7 * DAY_MS;
export const UNVERIFIABLE_RETENTION_MS = 30 * DAY_MS;
/** The commands whose subject is an order. */
const OF_ORDERS = ['createRefund', 'completeOrder'] as const;
const CONCURRENCY = 8;
const MAX_PER_RUN = 200;
/** When work is repeated that our own code could not do. */
const RETRY: Retry = {firstMs: MINUTE_MS, maxMs: MINUTE_MS};

/**
 * Runs the commands that move money or end something at the platform. There is one object per service. Each command is
 * stored before anything is sent, is sent once, and is verified until its outcome is known. If the process dies
 * - before the state `sending` is on disk, nothing was sent. The restart deletes the command, or queues it again if it
 *   was queued;
 * - after that, but before the final state is on disk, the command may have been sent. The restart marks it as unknown.
 *   It is then verified and never sent again;
 * - after the final state is on disk, the command's events are stored as well, and its row is due until the other
 *   objects know.
 */
export class Commands extends StoredObject {
  static override readonly schemas = [COMMANDS, PENDING_EVENTS];

  readonly #store = new CommandStore(this.storage);
  readonly #events = new EventQueue(this.storage, () => contextOf(this.env).objects);
  readonly #runner = new CommandRunner(this.storage, this.#store, this.#events, () => contextOf(this.env));
  readonly #running = new Map<string, Promise<CommandOutcome>>();

  protected override readonly tasks = {
    /** A command that runs is due when its watchdog ends, in case that the object dies. */
    commands: {retry: RETRY, dueAt: () => this.#store.dueAt(), run: () => this.#resumeDue()},
    events: this.#events.task,
    retention: {
      retry: RETRY,
      dueAt: () =>
        earliest(
          endOfRetention(this.#store.oldestSettledAt(), SETTLED_RETENTION_MS),
          endOfRetention(this.#store.oldestUnverifiableAt(), UNVERIFIABLE_RETENTION_MS),
        ),
      run: async () =>
        this.#store.deleteSettled(Date.now() - SETTLED_RETENTION_MS, Date.now() - UNVERIFIABLE_RETENTION_MS),
    },
  };

  constructor(...args: ConstructorParameters<typeof StoredObject>) {
    super(...args);
    if (!this.isRefused) this.#store.recover(Date.now());
  }

  /** Runs a command. A second call with the same `id` returns the outcome of the command. */
  run(id: string, request: CommandRequest): Promise<CommandOutcome> {
    return this.#runAlone(id, () => this.#begin(id, request));
  }

  /**
   * Commands in these states, oldest first.
   * @param after - The creation time of the last command on the previous page.
   */
  async list(states: readonly CommandState[], after: number, limit: number): Promise<CommandPage> {
    const rows = this.#store.list(states, after, limit);
    const items = await Promise.all(
      rows.map(async (row) =>
        Object.assign(row, {queuePosition: row.state === 'queued' ? await this.#runner.queuePositionOf(row) : null}),
      ),
    );
    return {items, total: this.#store.count(states)};
  }

  /** The commands that concern an order, oldest first. */
  ofOrder(order: string): CommandView[] {
    return this.#store.ofSubject(OF_ORDERS, order).map((row) => Object.assign(row, {queuePosition: null}));
  }

  /** The order, or the id of the charge or subscription, that a command concerns; null for an unknown command. */
  subjectOf(id: string): {readonly order: string} | {readonly id: string} | null {
    const {name, subject} = this.#store.find(id) ?? {};
    if (name === undefined || subject === undefined) return null;
    return OF_ORDERS.some((each) => each === name) ? {order: subject} : {id: subject};
  }

  /** The amount of a refund, also of one that failed; null for an unknown command. */
  refundAmountOf(id: string): Kurus | null {
    const {name, stored} = this.#store.find(id) ?? {};
    return name === 'createRefund' ? (stored as StoredOf<'createRefund'>).amount : null;
  }

  /** Removes what the platform wrote about the commands of these orders. Neither a name nor an IBAN is stored. */
  forgetPersons(orders: readonly string[]): void {
    for (const order of orders) this.#store.forgetPersons(OF_ORDERS, order);
  }

  /**
   * The outcome of a command. A command that was not begun fails, and can never be begun.
   * @param stored - What is stored of a command that was not begun.
   * @param code - Why such a command fails.
   */
  async conclude(id: string, name: CommandName, stored: object, code: ErrorCode): Promise<CommandOutcome> {
    if (!this.#store.find(id)) {
      const now = Date.now();
      this.#store.add({id, name, subject: commandNamed(name).subjectOf(stored), stored, askedBy: null}, now, now);
      this.#store.change(id, {
        state: 'failed',
        refusal: {code},
        settledAt: now,
        dueAt: null,
      });
    }
    return this.#outcomeOf(this.#store.get(id));
  }

  /**
   * The sum of an order's refunds that are unknown to `Refunds` and may have been made.
   * @param except - Id of a command that does not count.
   */
  unreportedRefunds(order: string, except: string | null): Kurus {
    const refunds = this.#store.unreported({name: 'createRefund', subject: order}).filter(({id}) => id !== except);
    return refunds.reduce((sum, {stored}) => sum + (stored as StoredOf<'createRefund'>).amount, 0);
  }

  /** Does what is due for the commands that do not run. Those that run get a new watchdog: the alarm does not wait for them. */
  async #resumeDue(): Promise<void> {
    const now = Date.now();
    const due = this.#store.due(now, MAX_PER_RUN);
    for (const {id} of due) if (this.#running.has(id)) this.#store.change(id, {dueAt: now + WATCHDOG_MS});
    const waiting = due.filter(({id}) => !this.#running.has(id));
    await mapConcurrent(CONCURRENCY, waiting, async ({id}) => {
      try {
        await this.#runAlone(id, () => this.#resume(id));
      } catch (error) {
        log('error', 'internal_error', {command: id, error: describeError(error)});
        this.#store.change(id, {dueAt: Date.now() + MINUTE_MS});
      }
    });
  }

  /** Runs only one piece of work per command at a time; concurrent callers share the result of this work. */
  #runAlone(id: string, work: () => Promise<CommandOutcome>): Promise<CommandOutcome> {
    let running = this.#running.get(id);
    if (!running) {
      running = this.#events.holdDuring(work).finally(async () => {
        this.#running.delete(id);
        await this.runNow('events');
      });
      this.#running.set(id, running);
    }
    return running;
  }

  async #begin(id: string, {name, input, mayQueue, askedBy, isReplay}: CommandRequest): Promise<CommandOutcome> {
    const known = this.#store.find(id);
    if (known) return this.#outcomeOf(known);
    if (isReplay) return {state: 'unknown'};
    const definition = commandNamed(name);
    const stored = await definition.toStored(input, contextOf(this.env));
    const subject = definition.subjectOf(stored);
    // Nothing is awaited between this check and the insert, so two conflicting commands cannot both pass the check.
    const now = Date.now();
    if (this.#store.unsettled({name, subject}, now).some((other) => !definition.mayRunBeside?.(stored, other.stored)))
      return {state: 'pending'};
    this.#store.add({id, name, subject, stored, askedBy}, now, now + WATCHDOG_MS);
    return this.#runner.run(this.#store.get(id), input, mayQueue);
  }

  /** Does the work that is due for a command that is not running. */
  async #resume(id: string): Promise<CommandOutcome> {
    const command = this.#store.get(id);
    switch (command.state) {
      case 'queued':
        this.#store.change(id, {state: 'begun', dueAt: Date.now() + WATCHDOG_MS});
        return this.#runner.run(command, command.stored, true);
      case 'unknown':
        return this.#runner.verify(command);
      case 'done':
      case 'failed':
        await this.#runner.reportSettled(command);
        return this.#outcomeOf(command);
      // A command stays in one of these states only if an internal error stopped its run.
      case 'begun':
        return this.#runner.handleUnsent(command, {code: 'temporarily_unavailable'}, false);
      case 'sending':
        return this.#runner.markUnknown(command, null);
    }
  }

  async #outcomeOf(command: CommandRow): Promise<CommandOutcome> {
    switch (command.state) {
      case 'done':
        return {state: 'done', result: command.result ?? {}};
      case 'failed':
        return {state: 'failed', refusal: command.refusal ?? {code: 'internal'}};
      case 'queued':
        return {state: 'queued', queuePosition: await this.#runner.queuePositionOf(command)};
      default:
        return command.result ? {state: 'underway', result: command.result} : {state: 'unknown'};
    }
  }
}

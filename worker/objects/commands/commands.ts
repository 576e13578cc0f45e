import {DurableObject} from 'cloudflare:workers';
import {contextOf} from '../../context.ts';
import type {CommandName} from '../../contract/merchant/commands.ts';
import {mapConcurrent} from '../../lib/async.ts';
import {DAY_MS, MINUTE_MS} from '../../lib/durations.ts';
import {runSafely, scheduleAlarm} from '../alarm.ts';
import {PendingEvents} from '../events/pending-events.ts';
import type {QueuePosition} from '../limits/quota.ts';
import {CommandRunner, type CommandOutcome, WATCHDOG_MS} from './command-runner.ts';
import {type CommandRow, type CommandState, CommandStore} from './command-store.ts';
import {commandNamed} from './registry.ts';

/** What a merchant's server wants done. */
export interface CommandRequest {
  readonly name: CommandName;
  /** Plain data, as the command of that name takes it. */
  readonly input: object;
  /** Whether it may wait for another day where the platform's limit is used up. */
  readonly mayQueue: boolean;
}

export interface CommandView extends CommandRow {
  /** Null where it does not wait. */
  readonly queuePosition: QueuePosition | null;
}

export interface CommandPage {
  readonly items: CommandView[];
  /** How many there are in those states. */
  readonly total: number;
}

/**
 * How long a settled command is known: longer than its key, which counts for three days from when it was last asked
 * under. One that nobody can tell about stays on the list.
 */
const SETTLED_RETENTION_MS = 7 * DAY_MS;
const UNVERIFIABLE_RETENTION_MS = 30 * DAY_MS;
const CONCURRENCY = 8;
const MAX_PER_ALARM = 200;

/**
 * Carries out what moves money or ends something at the platform, one object a service. Each command is written down
 * before anything is sent, is sent once, and is read back until it is known whether it was done. If the process dies
 * - before `sending` is on disk: nothing was sent, and waking forgets it (or lets it wait on, where it stood in line);
 * - from then on, until its end is on disk: it may have been sent. Waking makes it unknown, and it is read back and
 *   never sent again;
 * - after its end is on disk: its events stand beside it, and whoever else is to know is told by the alarm.
 */
export class Commands extends DurableObject<Env> {
  readonly #store = new CommandStore(this.ctx.storage);
  readonly #pending = new PendingEvents(this.ctx.storage);
  readonly #runner = new CommandRunner(this.ctx.storage, this.#store, this.#pending, () => contextOf(this.env));
  readonly #running = new Map<string, Promise<CommandOutcome>>();

  constructor(...args: ConstructorParameters<typeof DurableObject<Env>>) {
    super(...args);
    this.#store.recover(Date.now());
  }

  /** Carries a command out; asked again with its `id`, tells what became of it. */
  run(id: string, request: CommandRequest): Promise<CommandOutcome> {
    return this.#runAlone(id, () => this.#begin(id, request));
  }

  /** Commands in some states, oldest first. @param after when the last one of the page before began. */
  async list(states: readonly CommandState[], after: number, limit: number): Promise<CommandPage> {
    const rows = this.#store.list(states, after, limit);
    const items = await Promise.all(
      rows.map(async (row) =>
        Object.assign(row, {queuePosition: row.state === 'queued' ? await this.#runner.queuePositionOf(row) : null}),
      ),
    );
    return {items, total: this.#store.count(states)};
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    await mapConcurrent(CONCURRENCY, this.#store.due(now, MAX_PER_ALARM), ({id}) =>
      runSafely(
        {command: id},
        async () => void (await this.#runAlone(id, () => this.#resume(id))),
        () => this.#store.change(id, {dueAt: Date.now() + MINUTE_MS}),
      ),
    );
    await this.#pending.flush(() => contextOf(this.env).objects);
    this.#store.deleteSettled(now - SETTLED_RETENTION_MS, now - UNVERIFIABLE_RETENTION_MS);
    await this.#schedule();
  }

  /** One at a time works on a command; who comes meanwhile is told what that comes to. */
  #runAlone(id: string, work: () => Promise<CommandOutcome>): Promise<CommandOutcome> {
    let running = this.#running.get(id);
    if (!running) {
      running = work().finally(async () => {
        this.#running.delete(id);
        await this.#schedule();
      });
      this.#running.set(id, running);
    }
    return running;
  }

  async #begin(id: string, {name, input, mayQueue}: CommandRequest): Promise<CommandOutcome> {
    const known = this.#store.find(id);
    if (known) return this.#outcomeOf(known);
    const definition = commandNamed(name);
    const stored = await definition.toStored(input);
    const subject = definition.subjectOf(stored);
    // From the look at the others to the row nothing is awaited.
    const now = Date.now();
    if (this.#store.unsettled({name, subject}, now).some((other) => !definition.mayRunBeside?.(stored, other.stored)))
      return {state: 'pending'};
    this.#store.add({id, name, subject, stored}, now, now + WATCHDOG_MS);
    await this.#schedule();
    return this.#runner.run(this.#store.get(id), input, mayQueue);
  }

  /** What is due about a command that nobody works on. */
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
      // Whoever worked on these met a fault of ours.
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
        return {state: 'unknown'};
    }
  }

  /** The next alarm: something is due, events could not be handed over, or something may be forgotten. */
  async #schedule(): Promise<void> {
    const settledAt = this.#store.oldestSettledAt();
    await scheduleAlarm(
      this.ctx.storage,
      this.#store.nextDueAt(),
      this.#pending.dueAt(),
      settledAt === null ? null : settledAt + SETTLED_RETENTION_MS,
    );
  }
}

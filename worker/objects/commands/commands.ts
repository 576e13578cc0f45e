import {DurableObject} from 'cloudflare:workers';
import {contextOf} from '../../context.ts';
import type {CommandName} from '../../contract/merchant/commands.ts';
import {mapAtOnce} from '../../lib/async.ts';
import {describeError, log} from '../../lib/log.ts';
import {PendingEvents} from '../events/pending-events.ts';
import type {Place} from '../limits/quota.ts';
import {CommandRun, type Outcome, WATCHED_MS} from './command-runner.ts';
import {type CommandRow, type CommandState, CommandStore} from './command-store.ts';
import {deedOf} from './registry.ts';

/** What a merchant's server wants done. */
export interface CommandOrder {
  readonly name: CommandName;
  /** Plain data, as the deed of that name takes it. */
  readonly request: object;
  /** Whether it may wait for another day where the platform's limit is used up. */
  readonly patient: boolean;
}

export interface CommandView extends CommandRow {
  /** Null where it does not wait. */
  readonly place: Place | null;
}

export interface CommandPage {
  readonly items: CommandView[];
  /** How many there are in those states. */
  readonly total: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/**
 * How long a settled command is known: longer than its key, which counts for three days from when it was last asked under. One
 * that nobody can tell about stays on the list.
 */
const SETTLED_KEPT_MS = 7 * DAY_MS;
const UNTOLD_KEPT_MS = 30 * DAY_MS;
const AT_ONCE = 8;
const MOST_A_TURN = 200;

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
  readonly #run = new CommandRun(this.ctx.storage, this.#store, this.#pending, () => contextOf(this.env));
  readonly #running = new Map<string, Promise<Outcome>>();

  constructor(...args: ConstructorParameters<typeof DurableObject<Env>>) {
    super(...args);
    this.#store.wake(Date.now());
  }

  /** Carries a command out; asked again with its `id`, tells what became of it. */
  perform(id: string, order: CommandOrder): Promise<Outcome> {
    return this.#alone(id, () => this.#begin(id, order));
  }

  /** Commands in some states, oldest first. @param after when the last one of the page before began. */
  async list(states: readonly CommandState[], after: number, most: number): Promise<CommandPage> {
    const rows = this.#store.list(states, after, most);
    const items = await Promise.all(
      rows.map(async (row) =>
        Object.assign(row, {place: row.state === 'queued' ? await this.#run.placeOf(row) : null}),
      ),
    );
    return {items, total: this.#store.count(states)};
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    await mapAtOnce(AT_ONCE, this.#store.due(now, MOST_A_TURN), async ({id}) => {
      try {
        await this.#alone(id, () => this.#attend(id));
      } catch (error) {
        // An alarm that throws is given up after a few tries.
        log('error', 'internal_error', {command: id, error: describeError(error)});
        this.#store.change(id, {dueAt: Date.now() + MINUTE_MS});
      }
    });
    await this.#pending.handOver(() => contextOf(this.env).objects);
    this.#store.forget(now - SETTLED_KEPT_MS, now - UNTOLD_KEPT_MS);
    await this.#schedule();
  }

  /** One at a time works on a command; who comes meanwhile is told what that comes to. */
  #alone(id: string, work: () => Promise<Outcome>): Promise<Outcome> {
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

  async #begin(id: string, {name, request, patient}: CommandOrder): Promise<Outcome> {
    const known = this.#store.find(id);
    if (known) return this.#outcomeOf(known);
    const deed = deedOf(name);
    const kept = await deed.keep(request);
    const subject = deed.subjectOf(kept);
    // From the look at the others to the row nothing is awaited.
    const now = Date.now();
    if (this.#store.unsettled({name, subject}, now).some((other) => !deed.mayStandBeside?.(kept, other.kept)))
      return {state: 'pending'};
    this.#store.add({id, name, subject, kept}, now, now + WATCHED_MS);
    await this.#schedule();
    return this.#run.carryOut(this.#store.get(id), request, patient);
  }

  /** What is due about a command that nobody works on. */
  async #attend(id: string): Promise<Outcome> {
    const command = this.#store.get(id);
    switch (command.state) {
      case 'queued':
        this.#store.change(id, {state: 'begun', dueAt: Date.now() + WATCHED_MS});
        return this.#run.carryOut(command, command.kept, true);
      case 'unknown':
        return this.#run.readBack(command);
      case 'done':
      case 'failed':
        await this.#run.tell(command);
        return this.#outcomeOf(command);
      // Whoever worked on these met a fault of ours.
      case 'begun':
        return this.#run.notSent(command, {code: 'temporarily_unavailable'}, false);
      case 'sending':
        return this.#run.doubt(command, null);
    }
  }

  async #outcomeOf(command: CommandRow): Promise<Outcome> {
    switch (command.state) {
      case 'done':
        return {state: 'done', result: command.result ?? {}};
      case 'failed':
        return {state: 'failed', refusal: command.refusal ?? {code: 'internal'}};
      case 'queued':
        return {state: 'queued', place: await this.#run.placeOf(command)};
      default:
        return {state: 'unknown'};
    }
  }

  /** The next alarm: something is due, events could not be handed over, or something may be forgotten. */
  async #schedule(): Promise<void> {
    const settledAt = this.#store.oldestSettledAt();
    const due = [
      this.#store.nextDueAt(),
      this.#pending.dueAt(),
      settledAt === null ? null : settledAt + SETTLED_KEPT_MS,
    ].filter((at) => at !== null);
    if (due.length > 0) await this.ctx.storage.setAlarm(Math.max(Date.now(), Math.min(...due)));
  }
}

/**
 * Runs one command: reads the state before the command, sends the command, and verifies it until the outcome is known.
 * Every step is stored before the next step begins. `Commands` documents what happens if the process dies between two
 * steps.
 */

import type {Context} from '../../context.ts';
import {DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {type Retry, retryDelayMs} from '../../lib/retry.ts';
import {isBroken, isUnsent, PlatformError} from '../../platform/failure.ts';
import type {Operation} from '../../platform/operation.ts';
import {loadOperation} from '../../platform/operations/load-operation.ts';
import type {EventQueue} from '../events/event-queue.ts';
import type {ObjectStorage} from '../object-storage.ts';
import type {QueuePosition} from '../platform/quota.ts';
import {watchdogAt} from '../schedule.ts';
import type {CommandChange, CommandRow, CommandStore} from './command-store.ts';
import {
  isDailyLimitReached,
  type CommandRefusal,
  type OtherCommands,
  toCommandRefusal,
  retryAfterOf,
} from './command.ts';
import {commandNamed, describeCommand, describeGivenUp} from './registry.ts';

/** How a command ended, or its current state. */
export type CommandOutcome =
  | {readonly state: 'done'; readonly result: object}
  /** The command changed nothing. */
  | {readonly state: 'failed'; readonly refusal: CommandRefusal}
  /** The command was sent. Later reads may show whether the command was done. */
  | {readonly state: 'unknown'}
  /** The platform has begun to do what the command asks for. Later reads show how it ends. */
  | {readonly state: 'underway'; readonly result: object}
  /** `queuePosition` is null while the position is not known. */
  | {readonly state: 'queued'; readonly queuePosition: QueuePosition | null}
  /** Another command with the same subject is unsettled, so this command was not started. */
  | {readonly state: 'pending'};

/**
 * When the outcome is read again while the platform shows no trace of a command. Until the last read, about twelve
 * minutes after the first read, the command may still be on its way. The Worker counts reads and not minutes before it
 * decides that the command was not done. So if the clock jumps, only the current delay gets shorter.
 */
const ABSENCE = {
  delaysMs: [2 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 4 * MINUTE_MS, 5 * MINUTE_MS],
};
/** When the outcome is read again after a read that failed or was ambiguous. */
const FAILED_READ: Retry = {firstMs: 5 * SECOND_MS, maxMs: HOUR_MS};
/** After so many failed or ambiguous reads in a row, about three days, the outcome counts as unverifiable. */
const MAX_FAILED_READS = 80;
/** When a command is read again that the platform has begun, and for how long. */
const BEGUN: Retry = {firstMs: MINUTE_MS, maxMs: DAY_MS};
const MAX_BEGUN_MS = 90 * DAY_MS;
/** When a queued command is sent again that could not be sent for a reason other than the daily limit. */
const UNSENT: Retry = {firstMs: 10 * SECOND_MS, maxMs: MINUTE_MS};
/** When other objects are told again that a command is settled. */
const REPORT: Retry = {firstMs: 10 * SECOND_MS, maxMs: 15 * MINUTE_MS};

/** When a command that runs is due again, in case that the object dies: longer than any command takes. */
export const WATCHDOG_MS = MINUTE_MS;

export class CommandRunner {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly store: CommandStore,
    private readonly events: EventQueue,
    private readonly context: () => Context,
  ) {}

  /** Runs a command. @param mayQueue - Whether the command may wait for the next day if the daily limit is reached. */
  async run(command: CommandRow, request: object, mayQueue: boolean): Promise<CommandOutcome> {
    const {id, name, stored} = command;
    const definition = commandNamed(name);
    const context = this.context();
    if (!sendsOnce(await loadOperation(definition.operation), context))
      return this.handleUnsent(command, {code: 'egress_unsafe'}, mayQueue);
    let precheck;
    try {
      precheck = await definition.readBefore(stored, context, this.#othersOf(command));
    } catch (error) {
      return this.handleUnsent(command, toCommandRefusal(error), mayQueue);
    }
    if ('done' in precheck) return this.#conclude(command, precheck.done);
    if ('mustWait' in precheck) {
      this.store.remove(id);
      return {state: 'pending'};
    }
    if ('refused' in precheck) {
      const {refused: code, fields} = precheck;
      return this.#fail(command, {code, ...(fields && {fields})});
    }

    const now = Date.now();
    const sending = {state: 'sending', before: precheck.before, sentAt: now} as const;
    this.store.change(id, {...sending, failures: 0, dueAt: now + WATCHDOG_MS});
    // The new state must be on disk first; otherwise the object could send the command again after a restart.
    await this.storage.sync();
    let result;
    try {
      result = await definition.send(request, context, {queueId: id});
    } catch (error) {
      const failure = error instanceof PlatformError ? error.failure : null;
      if (failure && isUnsent(failure)) return this.handleUnsent(command, toCommandRefusal(error), mayQueue);
      if (failure?.outcome === 'refused' && !isBroken(failure)) return this.#fail(command, toCommandRefusal(error));
      return this.markUnknown(command, error);
    }
    return this.#conclude(this.store.get(id), result);
  }

  /**
   * Handles a command that was not sent. If the daily limit is reached and the command may wait, the command is queued.
   * A command that has already waited stays in the queue after any refusal. Every other command is removed.
   */
  async handleUnsent(command: CommandRow, refusal: CommandRefusal, mayQueue: boolean): Promise<CommandOutcome> {
    const {id, name, waited} = command;
    const delayMs = retryAfterOf(refusal);
    if ((mayQueue || waited) && isDailyLimitReached(refusal, commandNamed(name).operation))
      return this.#queue(command, delayMs);
    if (waited) {
      this.#repeat(command, UNSENT, {state: 'queued'}, delayMs);
      return {state: 'queued', queuePosition: null};
    }
    this.store.remove(id);
    return {state: 'failed', refusal};
  }

  /** Marks a command as unknown, because it may have been done, and verifies it once. Most outcomes are then known. */
  async markUnknown({id, name}: CommandRow, error: unknown): Promise<CommandOutcome> {
    this.store.change(id, {state: 'unknown', dueAt: Date.now() + WATCHDOG_MS});
    log('warn', 'command_unknown', {
      command: id,
      operation: name,
      ...(!(error instanceof PlatformError) && {error: describeError(error)}),
    });
    return this.verify(this.store.get(id));
  }

  /** Reads once from the platform whether the command was done. */
  async verify(command: CommandRow): Promise<CommandOutcome> {
    let verification;
    try {
      verification = await commandNamed(command.name).verifyAfter(
        command.stored,
        command.before ?? {},
        this.context(),
        this.#othersOf(command),
      );
    } catch (error) {
      return this.#scheduleVerify(command, toCommandRefusal(error));
    }
    if (typeof verification === 'object')
      return 'done' in verification
        ? this.#conclude(command, verification.done)
        : this.#recordAbsence(command, verification.notDone);
    switch (verification) {
      case 'notFound':
        return this.#recordAbsence(command);
      case 'ambiguous':
        return this.#scheduleVerify(command, null);
      case 'unverifiable':
        this.store.change(command.id, {dueAt: null});
        this.#addUnknownEvent(command);
        return {state: 'unknown'};
    }
  }

  /** Reports to the `Platform` object and to other objects that a command is settled. */
  async reportSettled(command: CommandRow): Promise<void> {
    const {id, name, state, stored, result, waited, askedBy} = command;
    const context = this.context();
    try {
      if (waited) await context.objects.platform().leaveQueue(id);
      if (state === 'done') await commandNamed(name).onDone?.(stored, result ?? {}, context, askedBy);
      this.store.change(id, {dueAt: null});
    } catch (error) {
      log('warn', 'command_report_failed', {command: id, operation: name, error: describeError(error)});
      this.#repeat(command, REPORT);
    }
  }

  /**
   * The command's position in the queue for the platform's limit. Queues the command if it is not queued. Returns null
   * when the `Platform` object cannot be reached.
   */
  async queuePositionOf({id, name}: Pick<CommandRow, 'id' | 'name'>): Promise<QueuePosition | null> {
    const {quota} = await loadOperation(commandNamed(name).operation);
    try {
      return quota && (await this.context().objects.platform().enterQueue(quota, id));
    } catch (error) {
      log('warn', 'quota_report_failed', {command: id, error: describeError(error)});
      return null;
    }
  }

  #othersOf(command: CommandRow): OtherCommands<object, object> {
    const unsettled = this.store.unsettled(command, Date.now()).filter(({id}) => id !== command.id);
    return {results: this.store.otherResults(command), unsettled: unsettled.map(({stored}) => stored)};
  }

  async #queue(command: CommandRow, delayMs: number): Promise<CommandOutcome> {
    const {id, name} = command;
    // The command is on disk before it joins the queue; otherwise a crash could leave a queue entry that nothing
    // removes.
    const dueAt = Date.now() + Math.max(SECOND_MS, delayMs);
    this.store.change(id, {state: 'queued', waited: true, failures: 0, dueAt});
    await this.storage.sync();
    const queuePosition = await this.queuePositionOf(command);
    if (queuePosition) this.store.change(id, {dueAt: queuePosition.expectedAt});
    log('info', 'command_queued', {command: id, operation: name});
    return {state: 'queued', queuePosition};
  }

  /** @param shown - What the platform shows instead of the result. */
  async #recordAbsence(command: CommandRow, shown: object | null = null): Promise<CommandOutcome> {
    if (command.absences >= ABSENCE.delaysMs.length) return this.#fail(command, {code: 'not_done'}, shown);
    const absences = command.absences + 1;
    this.store.change(command.id, {absences, failures: 0, dueAt: Date.now() + retryDelayMs(ABSENCE, absences)});
    this.#addUnknownEvent(command);
    return {state: 'unknown'};
  }

  #scheduleVerify(command: CommandRow, refusal: CommandRefusal | null): CommandOutcome {
    if (command.failures >= MAX_FAILED_READS) return this.#giveUp(command);
    this.#repeat(command, FAILED_READ, {}, retryAfterOf(refusal));
    this.#addUnknownEvent(command);
    return {state: 'unknown'};
  }

  /** Plans the next try after one that failed. @param minimumMs - The delay that the platform requests. */
  #repeat(command: CommandRow, retry: Retry, change: CommandChange = {}, minimumMs = 0): void {
    const failures = command.failures + 1;
    const dueAt = Date.now() + Math.max(retryDelayMs(retry, failures), minimumMs);
    this.store.change(command.id, {...change, failures, dueAt});
  }

  #giveUp({id, name}: CommandRow): CommandOutcome {
    this.store.change(id, {dueAt: null});
    this.events.add(describeGivenUp(this.store.get(id), Date.now()));
    log('error', 'command_given_up', {command: id, operation: name});
    return {state: 'unknown'};
  }

  /** Settles a command that the platform has done, or reads it again later if the platform has only begun it. */
  #conclude(command: CommandRow, result: object): Promise<CommandOutcome> | CommandOutcome {
    const {id, name, stored, sentAt} = command;
    const definition = commandNamed(name);
    const context = this.context();
    if (!definition.isUnderway?.(result, context)) return this.#succeed(command, result);
    const now = Date.now();
    if (now - (sentAt ?? 0) > MAX_BEGUN_MS) return this.#giveUp(command);
    if (command.result === null)
      for (const event of definition.events?.(stored, result, context) ?? []) this.events.add(event);
    const begunReads = command.begunReads + 1;
    this.store.change(id, {
      state: 'unknown',
      result: definition.toStoredResult?.(result) ?? result,
      absences: 0,
      failures: 0,
      begunReads,
      dueAt: now + retryDelayMs(BEGUN, begunReads),
    });
    return {state: 'underway', result};
  }

  /** Reports to the merchant, at most once, that the first read did not show the outcome. */
  #addUnknownEvent(command: CommandRow): void {
    if (!wasReportedUnknown(command))
      this.events.add(describeCommand('command.unknown', this.store.get(command.id), Date.now()));
  }

  async #succeed(command: CommandRow, result: object): Promise<CommandOutcome> {
    const {id, name, stored} = command;
    const now = Date.now();
    const definition = commandNamed(name);
    const storedResult = definition.toStoredResult?.(result) ?? result;
    const settled = {failures: 0, settledAt: now, dueAt: watchdogAt(now)};
    this.store.change(id, {state: 'done', result: storedResult, ...settled});
    // The events are written together with the command's final state.
    for (const event of definition.events?.(stored, result, this.context()) ?? []) this.events.add(event);
    this.#addSettledEvent(command, now);
    this.#settleUnverifiable(command, storedResult, now);
    log('info', 'command_done', {command: id, operation: name});
    await this.reportSettled(this.store.get(id));
    return {state: 'done', result};
  }

  async #fail(command: CommandRow, refusal: CommandRefusal, shown: object | null = null): Promise<CommandOutcome> {
    const {id, name, stored} = command;
    const now = Date.now();
    // The merchant heard that the platform had begun. An event of the same state may be older than that.
    const undone = command.result && shown && commandNamed(name).events?.(stored, shown, this.context());
    for (const event of undone ?? []) this.events.add({...event, key: [event.key, id].join('\n')});
    this.store.change(id, {state: 'failed', refusal, failures: 0, settledAt: now, dueAt: watchdogAt(now)});
    this.#addSettledEvent(command, now);
    const implied = 'failure' in refusal ? (commandNamed(name).impliedResult?.(stored, refusal.failure) ?? null) : null;
    if (implied) this.#settleUnverifiable(command, implied, now);
    log('info', 'command_failed', {command: id, operation: name, ...('code' in refusal && {code: refusal.code})});
    await this.reportSettled(this.store.get(id));
    return {state: 'failed', refusal};
  }

  /** Reports how the command ended, if the merchant was told that it was queued or that its outcome is unknown. */
  #addSettledEvent(command: CommandRow, now: number): void {
    if (command.waited || wasReportedUnknown(command))
      this.events.add(describeCommand('command.settled', this.store.get(command.id), now));
  }

  #settleUnverifiable(command: CommandRow, result: object, now: number): void {
    // If several such commands can run at the same time, the result of one command says nothing about the others.
    if (commandNamed(command.name).mayRunBeside) return;
    for (const unverifiable of this.store.settleUnverifiable(command, result, now)) {
      for (const event of commandNamed(unverifiable.name).events?.(unverifiable.stored, result, this.context()) ?? [])
        this.events.add(event);
      this.events.add(describeCommand('command.settled', unverifiable, now));
    }
  }
}

/** Whether the merchant knows that the outcome is unknown: from an event, or from an answer. */
function wasReportedUnknown({absences, failures, result}: CommandRow): boolean {
  return absences + failures > 0 || result !== null;
}

/**
 * Whether an operation reaches the platform at most once. A proxy may repeat a GET, so a GET needs an egress that
 * promises a single attempt. With the sandbox, no attempt moves real money. A local base URL does not prove that the
 * platform is a sandbox, because a proxy for the real platform may have a local URL too.
 */
export function sendsOnce({method}: Operation, {config, egress}: Pick<Context, 'config' | 'egress'>): boolean {
  return method !== 'GET' || egress.oneAttempt || !config.micropayment || config.isSandbox;
}

/** The list of commands, and how much of the platform's quotas is used. */

import type {Config} from '../../config/config.ts';
import type {ErrorCode} from '../../contract/codes.ts';
import type {COMMAND_STATES} from '../../contract/merchant/commands.ts';
import type {Command} from '../../contract/merchant/commands.ts';
import {formatAmount} from '../../lib/money.ts';
import {sumOf} from '../../lib/sum.ts';
import {formatInstant, formatInstantOrNull} from '../../lib/time.ts';
import type {CommandState} from '../../objects/commands/command-store.ts';
import type {CommandRefusal} from '../../objects/commands/command.ts';
import type {CommandView} from '../../objects/commands/commands.ts';
import {type StoredOf, type ResultOf, commandRegistry} from '../../objects/commands/registry.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import type {StatusNames} from '../../platform/statuses.ts';
import {requireServiceCode} from '../services.ts';
import {readCursor} from './cursor.ts';
import type {Handlers} from './handler.ts';
import {toMerchantError} from './platform-errors.ts';

const PAGE_LENGTH = 100;

type ShownState = (typeof COMMAND_STATES)[number];

/** The stored states for each state that the API shows. `running` stands for two stored states. */
const STORED_STATES: Readonly<Record<ShownState, readonly CommandState[]>> = {
  queued: ['queued'],
  running: ['begun', 'sending'],
  unknown: ['unknown'],
  done: ['done'],
  failed: ['failed'],
};

export const commandHandlers = {
  async listCommands(input, context) {
    const {config, objects, caller} = context;
    const {state, service} = input;
    const cursor = await readCursor<number>(input, 'commands', context);
    const all = [...config.services.keys(), ...(caller.services === null ? [null] : [])];
    const services = service === undefined ? all : [requireServiceCode(config, service)];
    const states = state === undefined ? Object.values(STORED_STATES).flat() : STORED_STATES[state];
    const pages = await Promise.all(
      services.map((code) => objects.commands(code).list(states, cursor.start ?? 0, PAGE_LENGTH + 1)),
    );
    const found = pages.flatMap(({items}) => items).sort((a, b) => a.createdAt - b.createdAt);
    const last = found[PAGE_LENGTH - 1]?.createdAt;
    // Within one service, all creation times differ. Commands of several services with the same time are returned on
    // the same page of results.
    const items = last === undefined ? found : found.filter(({createdAt}) => createdAt <= last);
    return {
      items: items.map((command) => toCommand(command, config)),
      next_cursor: await cursor.next(items.length < found.length ? last : null),
      total: sumOf(pages, ({total}) => total),
    };
  },
} satisfies Partial<Handlers>;

export function toCommand(command: CommandView, {statuses}: Config): Command {
  const {id, name, state, stored, askedBy, result, refusal, queuePosition, createdAt, sentAt, settledAt, dueAt} =
    command;
  const details = stored as Partial<
    Omit<StoredOf<'createRefund'>, 'amount'> &
      StoredOf<'refundCharge'> &
      StoredOf<'cancelSubscription'> &
      StoredOf<'resetTestNumber'>
  > & {amount?: number};
  return {
    id,
    operation: name,
    service: details.service ?? null,
    order: details.order ?? null,
    amount: details.amount === undefined ? null : formatAmount(details.amount),
    charge_id: details.charge ?? null,
    subscription_id: details.subscription ?? null,
    msisdn: details.msisdn ?? null,
    state: state === 'begun' || state === 'sending' ? 'running' : state,
    asked_by: askedBy,
    code: refusal && refusalCode(refusal, commandRegistry[name].operation, statuses),
    refund_id: name === 'createRefund' ? ((result as ResultOf<'createRefund'> | null)?.id ?? null) : null,
    queue_position: queuePosition?.position ?? null,
    expected_at: formatInstantOrNull(state === 'queued' ? (queuePosition?.expectedAt ?? dueAt) : null),
    next_check_at: formatInstantOrNull(state === 'unknown' ? dueAt : null),
    created_at: formatInstant(createdAt),
    sent_at: formatInstantOrNull(sentAt),
    settled_at: formatInstantOrNull(settledAt),
  };
}

export function refusalCode(refusal: CommandRefusal, operation: OperationName, statuses: StatusNames): ErrorCode {
  return 'code' in refusal
    ? refusal.code
    : toMerchantError(refusal.failure, refusal.operation as OperationName, operation, statuses).code;
}

export const quotaHandlers = {
  async showQuotas(_input, {config, objects}) {
    const uses = await objects.platform().quotaUsage();
    const items = uses.map(({name, limit, used, left, waiting, resetsAt, backoffUntil}) => ({
      name,
      per_day: limit.day,
      per_second: limit.second,
      used,
      left,
      waiting,
      resets_at: formatInstantOrNull(resetsAt),
      backoff_until: formatInstantOrNull(backoffUntil),
    }));
    const {quotaShare: share, phsCallsPerMinute: phs_calls_per_minute} = config;
    return {share, items, phs_calls_per_minute, as_of: formatInstant(Date.now())};
  },
} satisfies Partial<Handlers>;

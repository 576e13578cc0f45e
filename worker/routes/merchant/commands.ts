import type {ErrorCode} from '../../contract/codes.ts';
import type {Command, COMMAND_STATES} from '../../contract/merchant/commands.ts';
import {formatAmount} from '../../lib/money.ts';
import {formatInstant, formatInstantOrNull} from '../../lib/time.ts';
import type {Refusal} from '../../objects/commands/command-refusal.ts';
import type {CommandState} from '../../objects/commands/command-store.ts';
import type {CommandView} from '../../objects/commands/commands.ts';
import {type KeptOf, type ResultOf, deeds} from '../../objects/commands/registry.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import {serviceCode} from '../services.ts';
import {Cursors} from './cursor.ts';
import type {Handlers} from './handler.ts';
import {platformProblem} from './platform-errors.ts';

const PAGE_LENGTH = 100;

type Shown = (typeof COMMAND_STATES)[number];

/** What the merchant is told is running, for us falls into two. */
const STATES: Readonly<Record<Shown, readonly CommandState[]>> = {
  queued: ['queued'],
  running: ['begun', 'sending'],
  unknown: ['unknown'],
  done: ['done'],
  failed: ['failed'],
};

export const commands: Handlers<'listCommands'> = {
  async listCommands(input, {config, objects}) {
    const {state, service} = input;
    const cursors = await Cursors.of(input, 'commands');
    const services = service === undefined ? [...config.services.keys(), null] : [serviceCode(config, service)];
    const states = state === undefined ? Object.values(STATES).flat() : STATES[state];
    const pages = await Promise.all(
      services.map((code) => objects.commands(code).list(states, cursors.position ?? 0, PAGE_LENGTH + 1)),
    );
    const all = pages.flatMap(({items}) => items).sort((a, b) => a.createdAt - b.createdAt);
    const last = all[PAGE_LENGTH - 1]?.createdAt;
    // In one service no two begin at the same time; of several services all who do stand on one page.
    const items = last === undefined ? all : all.filter(({createdAt}) => createdAt <= last);
    return {
      items: items.map(toCommand),
      next_cursor: items.length < all.length && last !== undefined ? cursors.at(last) : null,
      total: pages.reduce((sum, {total}) => sum + total, 0),
    };
  },
};

function toCommand(command: CommandView): Command {
  const {id, name, state, kept, result, refusal, place, createdAt, sentAt, settledAt, dueAt} = command;
  const about = kept as Partial<
    Omit<KeptOf<'createRefund'>, 'amount'> &
      KeptOf<'refundCharge'> &
      KeptOf<'cancelSubscription'> &
      KeptOf<'resetTestNumber'>
  > & {amount?: number};
  return {
    id,
    command: name,
    service: about.service ?? null,
    order: about.order ?? null,
    amount: about.amount === undefined ? null : formatAmount(about.amount),
    charge: about.charge ?? null,
    subscription: about.subscription ?? null,
    msisdn: about.msisdn ?? null,
    state: state === 'begun' || state === 'sending' ? 'running' : state,
    code: refusal && codeOf(refusal, deeds[name].operation),
    refund: name === 'createRefund' ? ((result as ResultOf<'createRefund'> | null)?.id ?? null) : null,
    place: place?.place ?? null,
    expected_at: formatInstantOrNull(state === 'queued' ? (place?.expectedAt ?? dueAt) : null),
    next_look_at: formatInstantOrNull(state === 'unknown' ? dueAt : null),
    created_at: formatInstant(createdAt),
    sent_at: formatInstantOrNull(sentAt),
    settled_at: formatInstantOrNull(settledAt),
  };
}

function codeOf(refusal: Refusal, asked: OperationName): ErrorCode {
  return 'code' in refusal
    ? refusal.code
    : platformProblem(refusal.failure, refusal.operation as OperationName, asked).code;
}

export const quotas: Handlers<'showQuotas'> = {
  async showQuotas(_input, {config, objects}) {
    const uses = await objects.quota().show();
    return {
      share: config.quotaShare,
      quotas: uses.map(({name, limit, used, left, waiting, resetsAt, pausedUntil}) => ({
        name,
        per_day: limit.day,
        per_second: limit.second,
        used,
        left,
        waiting,
        resets_at: formatInstantOrNull(resetsAt),
        paused_until: formatInstantOrNull(pausedUntil),
      })),
      as_of: formatInstant(Date.now()),
    };
  },
};

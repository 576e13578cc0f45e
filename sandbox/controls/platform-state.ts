import * as z from 'zod';
import type {Context} from '../context.ts';
import type {Fault} from '../faults.ts';
import {findOperationPath} from '../interfaces.ts';
import type {Notification} from '../notifications/notifications.ts';
import {ControlError, type ControlInput, readInput} from './control-input.ts';

const MAX_DELAY_MS = 10 * 60 * 1000;
const FAULT_KINDS = ['delay', '500-html', 'malformed', 'empty', 'huge', 'redirect', 'status', 'clear'] as const;

const FaultInput = z.object({
  operation: z.string('is the path of an operation').optional(),
  kind: z.enum(FAULT_KINDS, `is one of ${FAULT_KINDS.join(', ')}`).default('clear'),
  status: z.coerce
    .string()
    .regex(/^(\d{3}|ERR_\d{3}|API_ERR_\d{4})$/, 'is a status of the platform such as "ERR_016"')
    .optional(),
  delay_ms: z
    .int('is a whole number of milliseconds')
    .min(0, 'is not below 0')
    .max(MAX_DELAY_MS, 'is at most ten minutes')
    .default(0),
  rate: z.number('is a share from 0 to 1').min(0, 'is a share from 0 to 1').max(1, 'is a share from 0 to 1').optional(),
  times: z.int('is a whole number').min(1, 'is at least 1').optional(),
  after: z.boolean('is true or false').default(false),
});

/** POST /_sandbox/faults: without `rate` or `times` a fault strikes every call until it is cleared. */
export function planFault({body}: ControlInput, {faults}: Context) {
  const {operation, kind, rate, times, ...rest} = readInput(FaultInput, body);
  if (kind === 'clear') {
    faults.clear(operation === undefined ? undefined : requirePath(operation));
    return {};
  }
  if (operation === undefined) throw new ControlError('A fault needs the operation it is for.');
  if (rate !== undefined && times !== undefined)
    throw new ControlError('A fault has a rate or a number of times, not both.');
  faults.plan(requirePath(operation), {fault: toFault({kind, ...rest}), rate: rate ?? 1, times});
  return {};
}

function requirePath(operation: string): string {
  const path = findOperationPath(operation);
  if (path === undefined) throw new ControlError(`The platform has no operation ${operation}.`);
  return path;
}

function toFault({
  kind,
  status,
  delay_ms: delayMs,
  after,
}: Omit<z.infer<typeof FaultInput>, 'kind'> & {kind: Fault['kind']}): Fault {
  if (kind === 'delay' && delayMs === 0) throw new ControlError('A delay needs delay_ms.');
  if (kind !== 'status') return {kind, delayMs, after};
  if (status === undefined) throw new ControlError('A fault of kind status needs the status.');
  return {kind, status, delayMs, after};
}

const TEN_YEARS_IN_SECONDS = 10 * 366 * 24 * 60 * 60;

const ClockInput = z.object({
  advance_seconds: z
    .number('is a number of seconds')
    .min(0, 'is not below 0: the clock does not go back')
    .max(TEN_YEARS_IN_SECONDS, 'is at most ten years'),
});

/** POST /_sandbox/clock */
export function advanceClock({body}: ControlInput, {clock}: Context) {
  const {advance_seconds} = readInput(ClockInput, body);
  clock.advance(Math.round(advance_seconds * 1000));
  return {now: clock.now()};
}

const AddressInput = z.object({allowed: z.boolean('is true or false')});

/** POST /_sandbox/address: a disallowed address is ERR_002 under /phs, 403 in mobile billing, 030 for landings. */
export function allowAddress({body}: ControlInput, {merchantAddress}: Context) {
  merchantAddress.allow(readInput(AddressInput, body).allowed);
  return {};
}

/** POST /_sandbox/tokens/expire */
export function expireTokens(_input: ControlInput, {tokens}: Context) {
  return {expired: tokens.expireAll()};
}

/** GET /_sandbox/calls: `key` and `token` are masked. */
export function listCalls(_input: ControlInput, {calls}: Context) {
  return {calls: calls.recent()};
}

/** GET /_sandbox/notifications */
export function listNotifications(_input: ControlInput, {notifications}: Context) {
  return {notifications: notifications.all().map(toShownNotification)};
}

function toShownNotification({httpStatus, ...shown}: Notification) {
  return {...shown, http_status: httpStatus};
}

/** POST /_sandbox/reset: orders, transfers, tokens, calls, faults and the clock are as on the first start. */
export function reset(_input: ControlInput, context: Context) {
  context.deleteAll();
  return {};
}

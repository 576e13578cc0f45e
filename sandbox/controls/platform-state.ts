/** Controls of the sandbox itself: faults, clock, IP address, readings, tokens, calls, notifications and reset. */

import * as z from 'zod';
import type {Context} from '../context.ts';
import type {Fault} from '../faults.ts';
import {findOperationPath} from '../interfaces.ts';
import type {Notification} from '../notifications/notifications.ts';
import {type ChosenReadings, READINGS} from '../records/readings.ts';
import {ControlError, type ControlInput, readInput} from './control-input.ts';

const MAX_DELAY_MS = 10 * 60 * 1000;
const FAULT_KINDS = ['delay', 'hold', '500-html', 'malformed', 'empty', 'huge', 'redirect', 'status', 'clear'] as const;

const RATE_MESSAGE = 'must be a share from 0 to 1';

const FaultInput = z.object({
  operation: z.string('must be the path of an operation').optional(),
  kind: z.enum(FAULT_KINDS, `must be one of ${FAULT_KINDS.join(', ')}`).default('clear'),
  status: z.coerce
    .string()
    .regex(/^(\d{3}|ERR_\d{3}|API_ERR_\d{4})$/, 'must be a status of the platform such as "ERR_016"')
    .optional(),
  delay_ms: z
    .int('must be a whole number of milliseconds')
    .min(0, 'must not be negative')
    .max(MAX_DELAY_MS, 'must be at most ten minutes')
    .default(0),
  rate: z.number(RATE_MESSAGE).min(0, RATE_MESSAGE).max(1, RATE_MESSAGE).optional(),
  times: z.int('must be a whole number').min(1, 'must be at least 1').optional(),
  after: z.boolean('must be true or false').default(false),
});

/** POST /_sandbox/faults: plans or clears faults. A fault with no `rate` and no `times` applies until it is cleared. */
export function planFault({body}: ControlInput, {faults}: Context) {
  const {operation, kind, rate, times, ...rest} = readInput(FaultInput, body);
  if (kind === 'clear') {
    faults.clear(operation === undefined ? undefined : requirePath(operation));
    return {};
  }
  if (operation === undefined) throw new ControlError('A fault needs an operation.');
  if (rate !== undefined && times !== undefined)
    throw new ControlError('A fault can have a rate or a number of times, but not both.');
  faults.plan(requirePath(operation), {fault: toFault({kind, ...rest}), rate: rate ?? 1, times});
  return {};
}

/** GET /_sandbox/faults: the calls that a fault holds. */
export function listHeldCalls(_input: ControlInput, {faults}: Context) {
  return {held: faults.heldPaths()};
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
  if (status === undefined) throw new ControlError('A fault of kind status needs a status.');
  return {kind, status, delayMs, after};
}

const TEN_YEARS_IN_SECONDS = 10 * 366 * 24 * 60 * 60;

const ClockInput = z.object({
  advance_seconds: z
    .number('must be a number of seconds')
    .min(0, 'must not be negative: the clock cannot go back')
    .max(TEN_YEARS_IN_SECONDS, 'must be at most ten years'),
});

/** POST /_sandbox/clock */
export function advanceClock({body}: ControlInput, {clock}: Context) {
  const {advance_seconds} = readInput(ClockInput, body);
  clock.advance(Math.round(advance_seconds * 1000));
  return {now: clock.now()};
}

const AddressInput = z.object({allowed: z.boolean('must be true or false')});

/**
 * POST /_sandbox/address: allows or refuses calls from the merchant's IP address. Refused calls get ERR_002 under /phs,
 * HTTP 403 in mobile billing and 030 under /landing.
 */
export function allowAddress({body}: ControlInput, {merchantAddress}: Context) {
  merchantAddress.allow(readInput(AddressInput, body).allowed);
  return {};
}

const ReadingsInput = z.strictObject(
  Object.fromEntries(
    Object.entries(READINGS).map(([name, readings]) => [
      name,
      z.enum(readings, `must be one of ${readings.join(', ')}`).optional(),
    ]),
  ),
);

/**
 * POST /_sandbox/readings: chooses how the platform answers questions that the contract leaves open. Returns all
 * readings.
 */
export function chooseReadings({body}: ControlInput, {readings}: Context) {
  readings.choose(readInput(ReadingsInput, body) as Partial<ChosenReadings>);
  return readings.all();
}

/** POST /_sandbox/tokens/expire */
export function expireTokens(_input: ControlInput, {tokens}: Context) {
  return {expired: tokens.expireAll()};
}

/** GET /_sandbox/calls. `key`, `token` and `authorization` are masked. */
export function listCalls(_input: ControlInput, {calls}: Context) {
  return {calls: calls.recent()};
}

/** GET /_sandbox/notifications */
export function listNotifications(_input: ControlInput, {notifications}: Context) {
  return {notifications: notifications.all().map(toShownNotification)};
}

function toShownNotification({httpStatus, ...fields}: Notification) {
  return {...fields, http_status: httpStatus};
}

const ResetInput = z.object({
  advance_seconds: ClockInput.shape.advance_seconds.default(0),
  issue_token: z.boolean('must be true or false').default(false),
});

/** POST /_sandbox/reset: deletes every record and resets the clock. Afterwards it can advance the clock and issue a token. */
export function reset({body}: ControlInput, context: Context) {
  const {advance_seconds, issue_token} = readInput(ResetInput, body);
  context.deleteAll();
  if (advance_seconds > 0) context.clock.advance(Math.round(advance_seconds * 1000));
  return issue_token ? {token: context.tokens.issue()} : {};
}

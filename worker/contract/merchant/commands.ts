/** The endpoint that lists commands: writes that move money or end something. */

import * as z from 'zod/mini';
import {ERROR_CODES} from '../codes.ts';
import {endpoint} from '../endpoint.ts';
import {NullableText, pageOf} from './answer-fields.ts';
import {Service, Cursor} from './fields.ts';

/** The endpoints that create commands. */
export const COMMAND_NAMES = [
  'createRefund',
  'refundCharge',
  'cancelSubscription',
  'cancelLandingSubscription',
  'resetTestNumber',
  'completeOrder',
] as const;
export type CommandName = (typeof COMMAND_NAMES)[number];

export const COMMAND_STATES = ['queued', 'running', 'unknown', 'done', 'failed'] as const;

const NullableInstant = DESCRIBED && z.nullable(z.string());
const QueuePosition =
  DESCRIBED &&
  z
    .nullable(z.int())
    .check(
      z.describe(
        'The position in the queue of commands that wait because a limit of the platform is used up; 1 is next. Null ' +
          'when the command does not wait, or when its position is not known yet.',
      ),
    );
const ExpectedAt = DESCRIBED && NullableInstant.check(z.describe('When the command is expected to be sent.'));

/** The body of a `202` answer: the Worker will send the command on a later day. */
export const QueuedCommand =
  DESCRIBED &&
  z
    .strictObject({
      state: z.literal('queued'),
      command_id: z.string().check(z.describe('Id of the command, as `GET /merchant/v1/commands` lists it.')),
      queue_position: QueuePosition,
      expected_at: ExpectedAt,
    })
    .check(z.meta({id: 'QueuedCommand'}));
export type QueuedCommand = z.output<typeof QueuedCommand>;

export const Command =
  DESCRIBED &&
  z
    .strictObject({
      id: z.string(),
      operation: z.enum(COMMAND_NAMES).check(z.describe('The requested operation.')),
      service: NullableText.check(
        z.describe('Service code. Null if the command cancels a subscription of the landing interface by its id.'),
      ),
      order: NullableText,
      amount: NullableText.check(z.describe('Decimal text with two places.')),
      charge_id: NullableText,
      subscription_id: NullableText,
      msisdn: NullableText.check(z.describe('A test number.')),
      state: z
        .enum(COMMAND_STATES)
        .check(
          z.describe(
            '`unknown`: the Worker sent the command, but the platform does not show yet whether the command was done, or ' +
              'has only begun it. ' +
              '`failed`: nothing was done.',
          ),
        ),
      asked_by: NullableText.check(
        z.describe(
          'Id of the API key with which the command was requested; `root` for `MERCHANT_API_KEY`. Null if a page ' +
            'requested it.',
        ),
      ),
      code: z.nullable(z.enum(ERROR_CODES)).check(z.describe('Why the command failed.')),
      refund_id: NullableText.check(z.describe('Id of the created refund.')),
      queue_position: QueuePosition,
      expected_at: ExpectedAt,
      next_check_at: NullableInstant.check(
        z.describe(
          'When the Worker will next check the platform for the outcome. Null when no check can show the outcome; in ' +
            'that case contact the platform.',
        ),
      ),
      created_at: z.string(),
      sent_at: NullableInstant,
      settled_at: NullableInstant,
    })
    .check(z.meta({id: 'Command'}));
export type Command = z.output<typeof Command>;

export const commands = {
  listCommands: endpoint({
    method: 'GET',
    path: '/merchant/v1/commands',
    scope: 'read',
    service: 'list',
    input: z.strictObject({
      state: z.optional(z.enum(COMMAND_STATES)),
      service: z.optional(Service),
      cursor: z.optional(Cursor),
    }),
    docs: DESCRIBED && {
      client: 'commands.list',
      summary: 'Lists commands (refunds, cancellations, resets and completions) and their outcomes.',
      description:
        'The oldest commands come first, about a hundred per page. `state=unknown` lists the commands whose outcome ' +
        'is unknown: the Worker never sends them again, and checks the platform for the outcome, at most for about ' +
        'three days. Commands with a known outcome are listed for a week.',
      answer: pageOf(Command),
      codes: ['unknown_service'],
      example: {
        input: {state: 'unknown'},
        answer: {
          items: [
            {
              id: '5d7c6a1e-0b0e-4f57-9c8e-2d6d1f0a7b11',
              operation: 'createRefund',
              service: 'DEMO',
              order: 'S-1009',
              amount: '149.90',
              charge_id: null,
              subscription_id: null,
              msisdn: null,
              state: 'unknown',
              asked_by: 'key_7Q2M9X4KHD0T',
              code: null,
              refund_id: null,
              queue_position: null,
              expected_at: null,
              next_check_at: '2026-11-21T15:42:10+03:00',
              created_at: '2026-11-21T15:41:59+03:00',
              sent_at: '2026-11-21T15:42:00+03:00',
              settled_at: null,
            },
          ],
          next_cursor: null,
          total: 1,
        },
      },
    },
  }),
};

/** The endpoint that lists commands: writes that move money or end something. */

import * as z from 'zod';
import {endpoint} from './endpoint.ts';
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

export const commands = {
  listCommands: endpoint({
    method: 'GET',
    path: '/merchant/v1/commands',
    operation: null,
    scope: 'read',
    write: false,
    status: 200,
    input: z.strictObject({
      state: z.enum(COMMAND_STATES).optional(),
      service: Service.optional(),
      cursor: Cursor.optional(),
    }),
  }),
};

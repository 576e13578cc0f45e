import * as z from 'zod';
import type {Context} from '../context.ts';
import type {ControlInput} from './control-input.ts';
import {readInput} from './read-input.ts';

const Allowed = z.object({allowed: z.boolean('is true or false')});

/** POST /_sandbox/address: a disallowed address is ERR_002 under /phs, 403 in mobile billing, 030 for landings. */
export function allowAddress({body}: ControlInput, {merchantAddress}: Context) {
  merchantAddress.allow(readInput(Allowed, body).allowed);
  return {};
}

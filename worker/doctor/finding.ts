/** What a check found, before it has a name. */

import type {Check} from '../contract/merchant/doctor.ts';

export type Finding = Omit<Check, 'name'>;

export const ok = (message: string): Finding => ({state: 'ok', message, action: null});
export const skipped = (message: string): Finding => ({state: 'skipped', message, action: null});
export const warning = (message: string, action: string): Finding => ({state: 'warning', message, action});
export const failed = (message: string, action: string): Finding => ({state: 'failed', message, action});

/** The tracker beside other elements. It registers itself, for it has to know where it came from. */

import {defineActivity} from '../activity/vezne-activity.ts';
import type {ElementClass} from '../core/define.ts';

export const elements: readonly ElementClass[] = [];
export const define = (_elements: readonly ElementClass[], api: string): void => defineActivity(api);

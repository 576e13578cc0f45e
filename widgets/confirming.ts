/** The element that subscribes a number the network recognised. */

import {VezneOneClick} from './one-click/vezne-one-click.ts';

export {define} from './define.ts';
export const elements = [VezneOneClick];

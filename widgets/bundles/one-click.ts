/** The element that subscribes a number the network recognised. */

import {VezneOneClick} from '../subscription/one-click/vezne-one-click.ts';

export {define} from '../core/define.ts';
export const elements = [VezneOneClick];

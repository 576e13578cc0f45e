/** The element that subscribes a number the network recognised. */

import {define} from '../core/define.ts';
import {VezneOneClick} from '../subscription/one-click/vezne-one-click.ts';

define(VezneOneClick);

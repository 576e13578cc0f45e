/** The entry of the element that subscribes the number that the mobile network has recognised. */

import {define} from '../core/define.ts';
import {VezneOneClick} from '../subscription/one-click/vezne-one-click.ts';

define(VezneOneClick);

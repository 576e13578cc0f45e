/** The entry of the element that subscribes a number that the mobile network has recognized. */

import {define} from '../core/define.ts';
import {VezneOneClick} from '../subscription/one-click/vezne-one-click.ts';

define(VezneOneClick);

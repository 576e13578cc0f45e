/** The entry of the element that subscribes a number that the mobile network has recognized. */

import {define} from '../core/define.ts';
import {VezneOneClick} from '../subscription/one-click/vezne-one-click.ts';
// Shows the form if the network has not recognized the number. It is in the page's script.
import './pin-subscribe.ts';

define(VezneOneClick);

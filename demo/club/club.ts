/** Entry of the landing page. */

import {watchJoined} from './joined.ts';
import {openPhoneAndFunnel} from './phone-and-funnel.ts';

openPhoneAndFunnel();
watchJoined();

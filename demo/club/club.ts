/** Entry of the landing page. */

import {watchJoined} from './joined.ts';
import {openPhone} from './phone.ts';

openPhone();
watchJoined();

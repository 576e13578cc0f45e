/** Entry of the landing page. */

import {openPhoneAndFunnel} from './phone-and-funnel.ts';

openPhoneAndFunnel();

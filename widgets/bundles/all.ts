/** Every element, for a page that has several kinds of them or asks for all. */

import './checkout.ts';
import './payment.ts';
import './hosted.ts';
import './pin-subscribe.ts';
import './one-click.ts';
import './subscription.ts';
import './vendor-form.ts';
import './activity.ts';

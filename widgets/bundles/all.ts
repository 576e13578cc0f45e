/** The entry of all elements, for a page with several kinds of elements and for `vezne.js#all`. */

import './checkout.ts';
import './payment.ts';
import './hosted.ts';
import './pin-subscribe.ts';
import './one-click.ts';
import './subscription.ts';
import './vendor-form.ts';
import './activity.ts';

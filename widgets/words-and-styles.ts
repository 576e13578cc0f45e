/**
 * Puts what is alike side by side in the file of all elements: words beside words, styles beside styles. What compresses
 * a file looks back 32 kB, and scattered over the elements they cost a page 1.3 kB more. What is fetched when it is
 * needed must not be named here, or it would be in that file too.
 */

import './locales/choosing.ts';
import './locales/manage.ts';
import './locales/notice.ts';
import './locales/one-click.ts';
import './locales/paying.ts';
import './locales/pin.ts';
import './locales/redirect.ts';
import './locales/subscribe.ts';
import './locales/trouble.ts';
import './locales/vendor.ts';
import './bank-list/bank-tile.styles.ts';
import './bank-list/vezne-bank-list.styles.ts';
import './checkout/vezne-checkout.styles.ts';
import './internal/colors.styles.ts';
import './internal/form.styles.ts';
import './internal/theme.styles.ts';
import './one-click/vezne-one-click.styles.ts';
import './pay-button/vezne-pay-button.styles.ts';
import './payment-code/vezne-payment-code.styles.ts';
import './payment-notice/vezne-payment-notice.styles.ts';
import './payment-status/vezne-payment-status.styles.ts';
import './pin-subscribe/vezne-pin-subscribe.styles.ts';
import './subscription/vezne-subscription.styles.ts';
import './vendor-form/vezne-vendor-form.styles.ts';

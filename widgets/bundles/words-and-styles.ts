/**
 * Puts what is alike side by side in the file of all elements: words beside words, styles beside styles. What compresses
 * a file looks back 32 kB, and scattered over the elements they cost a page 1.3 kB more. What is fetched when it is
 * needed must not be named here, or it would be in that file too.
 */

import '../locales/checkout.ts';
import '../locales/subscription.ts';
import '../locales/payment-notice.ts';
import '../locales/one-click.ts';
import '../locales/payment.ts';
import '../locales/pin-entry.ts';
import '../locales/pay-button.ts';
import '../locales/pin-subscribe.ts';
import '../locales/trouble.ts';
import '../locales/vendor-form.ts';
import '../transfer/bank-list/bank-tile.styles.ts';
import '../transfer/bank-list/vezne-bank-list.styles.ts';
import '../transfer/checkout/vezne-checkout.styles.ts';
import '../core/styles/colors.styles.ts';
import '../core/styles/form.styles.ts';
import '../core/styles/theme.styles.ts';
import '../subscription/one-click/vezne-one-click.styles.ts';
import '../transfer/payment-code/vezne-payment-code.styles.ts';
import '../transfer/payment-status/vezne-payment-status.styles.ts';
import '../subscription/pin-subscribe/vezne-pin-subscribe.styles.ts';
import '../subscription/manage/vezne-subscription.styles.ts';
import '../vendor-form/vezne-vendor-form.styles.ts';

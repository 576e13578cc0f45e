/** The states of all elements, and how a test reaches each state. */

import {BANK_LIST_STATES} from './bank-list.ts';
import {BUYER_STATES} from './buyer.ts';
import {CHECKOUT_STATES} from './checkout.ts';
import {HANDOFF_STATES} from './handoff.ts';
import {HUMAN_CHECK_STATES} from './human-check.ts';
import {ONE_CLICK_STATES} from './one-click.ts';
import {PAY_BUTTON_STATES} from './pay-button.ts';
import {PAYMENT_CODE_STATES} from './payment-code.ts';
import {PAYMENT_NOTICE_STATES} from './payment-notice.ts';
import {PAYMENT_STATUS_STATES} from './payment-status.ts';
import {PIN_ENTRY_STATES} from './pin-entry.ts';
import {PIN_SUBSCRIBE_STATES} from './pin-subscribe.ts';
import {REFUND_STATES} from './refund.ts';
import type {States} from './state.ts';
import {SUBSCRIPTION_STATES} from './subscription.ts';
import {VENDOR_FORM_STATES} from './vendor-form.ts';

export const STATES: States = {
  ...BANK_LIST_STATES,
  ...PAYMENT_CODE_STATES,
  ...HANDOFF_STATES,
  ...PAYMENT_STATUS_STATES,
  ...PAYMENT_NOTICE_STATES,
  ...CHECKOUT_STATES,
  ...BUYER_STATES,
  ...PAY_BUTTON_STATES,
  ...HUMAN_CHECK_STATES,
  ...PIN_SUBSCRIBE_STATES,
  ...PIN_ENTRY_STATES,
  ...ONE_CLICK_STATES,
  ...SUBSCRIPTION_STATES,
  ...VENDOR_FORM_STATES,
  ...REFUND_STATES,
};

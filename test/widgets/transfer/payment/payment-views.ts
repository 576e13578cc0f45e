/**
 * The views of a payment. For each: histories that lead to it, what the shopper reads then, and the state of an element
 * (`support/states`) that shows it. A view that is missing here is a type error.
 */

import type {PaymentView, Place} from '../../../../widgets/transfer/payment/payment-view.ts';
import {UNREAD} from './order-history.ts';

export interface Row {
  /** What happens after the page has shown the code. */
  readonly after: readonly string[];
  readonly place?: Place;
  /** Title and text. */
  readonly says: string;
  /** How the instructions are shown, and the one primary action. */
  readonly shows: `${PaymentView['instructions']} · ${PaymentView['action']}`;
}

const REPORT = ['the shopper opens the form for a report', 'the shopper sends the form'];
const SUBMITTED = [...REPORT, 'the shopper returns from the platform'];
export const SENT = 'the shopper says that the money is sent';
const LOST = 'the Worker rejects the session';

/** For each view, the name of a state of an element that shows it, and at least one history. */
export const VIEWS: {
  readonly [View in PaymentView['is']]: readonly [state: string, ...histories: readonly [Row, ...Row[]]];
} = {
  'choose-bank': ['a new checkout', {after: ['the shopper wants another bank'], says: '', shows: 'open · choose-bank'}],
  'no-code': [
    'a checkout whose order code is refused',
    {after: ['the platform refuses the code'], says: '', shows: 'open · none'},
  ],
  'no-buyer': [
    'a checkout that asks who buys',
    {after: ['the order asks who buys'], says: '', shows: 'open · none'},
    {after: ['the order asks who buys'], place: {in: 'status'}, says: '', shows: 'open · none'},
  ],
  unread: ['a payment that is loading', {after: [UNREAD], says: '', shows: 'open · copy-code'}],
  failed: [
    'a payment that failed',
    {after: [UNREAD, 'the answer with the payment is lost'], says: '', shows: 'open · copy-code'},
  ],
  pay: [
    'a checkout with an order code',
    {
      after: [],
      says: 'Waiting for your transfer. This page updates automatically. You can close it without losing your code.',
      shows: 'open · copy-code',
    },
    {
      after: ['the browser stores nothing'],
      says: 'Waiting for your transfer. This page updates automatically.',
      shows: 'open · copy-code',
    },
    {after: ['the device goes offline'], says: 'Waiting for your transfer. ', shows: 'open · copy-code'},
    {
      after: [],
      place: {in: 'status', isCutOff: true},
      says: 'Waiting for your transfer. ',
      shows: 'open · copy-code',
    },
  ],
  'at-platform': [
    'a pay button after the shopper returned from the bank page',
    {
      after: [],
      place: {in: 'button', via: 'bank-page'},
      says: 'Checking your ₺149.90 payment. If you’ve paid, it will show up here; don’t pay again. If not, you can still pay.',
      shows: 'open · copy-code',
    },
  ],
  'unpaid-at-platform': [
    'a pay button after the shopper returned from the bank page without paying',
    {
      after: [],
      place: {in: 'button', via: 'bank-page', isUnpaid: true},
      says: 'We don’t see your ₺149.90 payment yet. If you’ve paid, it will show up here; don’t pay again. If not, you can still pay.',
      shows: 'open · copy-code',
    },
  ],
  'on-its-way': [
    'a checkout whose shopper has sent the money',
    {
      after: [SENT],
      says: 'Waiting for your transfer. This page updates automatically when your money arrives. Don’t send it again.',
      shows: 'closed · none',
    },
  ],
  'report-unfinished': [
    'a checkout with a payment notice that was not submitted',
    {
      after: REPORT,
      says: 'Your report hasn’t arrived yet. If you haven’t finished it, finish it now. Don’t send the money again.',
      shows: 'closed · send-report',
    },
  ],
  'report-checked': [
    'a checkout that checks a payment notice',
    {
      after: SUBMITTED,
      says: 'Checking your report. This can take a few seconds. Don’t send the money again.',
      shows: 'closed · none',
    },
    {
      after: ['a part of the money arrives', ...SUBMITTED],
      says: 'Checking your report. This can take a few seconds. Don’t send the money again.',
      shows: 'closed · none',
    },
  ],
  'report-submitted': [
    'a payment with a notice of which the platform says nothing',
    {
      after: [...SUBMITTED, 'the platform does not say whether it has the report', 'the deadline passes'],
      says: 'We’re looking for your payment. We’re using your report to find it. This page updates when we do. Don’t send the money again.',
      shows: 'closed · ask-seller',
    },
    {
      after: [...SUBMITTED, 'the platform does not say whether it has the report'],
      says: 'We’re looking for your payment. We’re using your report to find it. This page updates when we do. Don’t send the money again.',
      shows: 'closed · none',
    },
  ],
  'report-received': [
    'a checkout with a payment notice that was sent',
    {
      after: [...REPORT, 'the platform receives the report'],
      says: 'We’re looking for your payment. We’re using your report to find it. This page updates when we do. Don’t send the money again.',
      shows: 'closed · none',
    },
    {
      after: [...REPORT, 'the platform receives the report', 'a part of the money arrives'],
      says: 'We’re looking for your payment. We’re using your report to find it. This page updates when we do. Don’t send the money again.',
      shows: 'closed · none',
    },
    {
      after: [...REPORT, 'the platform receives the report', 'the deadline passes'],
      says: 'We’re looking for your payment. We’re using your report to find it. This page updates when we do. Don’t send the money again.',
      shows: 'closed · none',
    },
  ],
  partial: [
    'a checkout that is partly paid',
    {
      after: ['a part of the money arrives'],
      says: '₺100.00 received, ₺49.90 to go. Send the rest in one transfer with the same code.',
      shows: 'open · copy-code',
    },
    {
      after: [
        ...SUBMITTED,
        'the platform receives the report',
        'a part of the money arrives',
        'the platform finds the money of the report',
        'the shopper closes the form',
      ],
      says: '₺100.00 received, ₺49.90 to go. Send the rest in one transfer with the same code.',
      shows: 'open · copy-code',
    },
  ],
  'partial-at-platform': [
    'a pay button after the shopper paid a part',
    {
      after: ['a part of the money arrives'],
      place: {in: 'button', via: 'payment-page'},
      says: '₺100.00 received, ₺49.90 to go. If you’ve also paid the rest, it will show up here; don’t pay again. If not, you can still pay.',
      shows: 'open · copy-code',
    },
  ],
  'partial-over': [
    'a checkout that is partly paid and whose time is over',
    {
      after: ['a part of the money arrives', 'the deadline passes'],
      says: 'The time to pay is over. ₺100.00 received, ₺49.90 missing. Ask the seller before you send the rest.',
      shows: 'closed · ask-seller',
    },
    {
      after: ['the deadline passes', 'a part of the money arrives'],
      place: {in: 'button', via: 'bank-page'},
      says: 'The time to pay is over. ₺100.00 received, ₺49.90 missing. Ask the seller before you send the rest.',
      shows: 'closed · ask-seller',
    },
  ],
  unclear: [
    'a checkout with money that could not be matched',
    {
      after: ['the money does not count yet', 'all of the money arrives'],
      says: 'A payment has arrived. It counts towards your order once the seller approves it. Don’t send it again; contact the seller if you have a question.',
      shows: 'hidden · ask-seller',
    },
    {
      after: ['money in another currency arrives'],
      says: 'A payment has arrived. It counts towards your order once the seller approves it. Don’t send it again; contact the seller if you have a question.',
      shows: 'hidden · ask-seller',
    },
  ],
  paid: [
    'a checkout that is paid',
    {
      after: ['all of the money arrives'],
      says: 'Payment received. Thank you. There’s nothing else you need to do.',
      shows: 'hidden · none',
    },
  ],
  completed: [
    'a checkout of a completed order',
    {
      after: ['all of the money arrives', 'the seller confirms the order'],
      says: 'Your order is confirmed. There’s nothing else you need to do.',
      shows: 'hidden · none',
    },
  ],
  late: [
    'a checkout that is paid late',
    {
      after: ['the deadline passes', 'all of the money arrives'],
      says: 'Your payment arrived after the deadline. Your money has reached the seller, who will check your order. Don’t send it again.',
      shows: 'hidden · ask-seller',
    },
  ],
  overpaid: [
    'a checkout that is overpaid',
    {
      after: ['a part of the money arrives', 'a part of the money arrives'],
      says: 'You paid too much. Your order is paid. Contact the seller for a refund of the extra ₺50.10.',
      shows: 'hidden · ask-seller',
    },
  ],
  'paid-twice': [
    'a checkout that is paid twice',
    {
      after: ['all of the money arrives', 'all of the money arrives'],
      says: 'Your payment arrived twice. Your order is paid. Contact the seller for a refund of the second ₺149.90.',
      shows: 'hidden · ask-seller',
    },
  ],
  cancelled: [
    'a checkout of a cancelled order',
    {
      after: ['the seller cancels the order'],
      says: 'Your order was cancelled. Don’t send the money. If you already have, contact the seller.',
      shows: 'hidden · ask-seller',
    },
    {
      after: ['the seller cancels the order', 'all of the money arrives'],
      says: 'Your order was cancelled. Don’t send the money. If you already have, contact the seller.',
      shows: 'hidden · ask-seller',
    },
  ],
  refunding: [
    'a checkout whose refund is on its way',
    {
      after: ['all of the money arrives', 'the seller sends all of the money back'],
      says: 'Your refund is on its way. The seller is sending ₺149.90 back. It can take a few working days to reach you.',
      shows: 'hidden · none',
    },
    {
      after: ['a part of the money arrives', 'the seller sends all of the money back'],
      says: 'Your refund is on its way. The seller is sending ₺100.00 back. It can take a few working days to reach you.',
      shows: 'hidden · none',
    },
  ],
  refunded: [
    'a checkout of a refunded order',
    {
      after: ['all of the money arrives', 'all of the money is refunded'],
      says: 'Your payment was refunded. The seller sent the money back. It can take a few working days to reach you.',
      shows: 'hidden · none',
    },
  ],
  expired: [
    'a checkout of an expired order',
    {
      after: ['the deadline passes'],
      says: 'This payment has expired. If you’ve sent the money, it will reach the seller: don’t send it again. If not, start a new payment.',
      shows: 'closed · start-over',
    },
    {
      after: ['the shopper opens a hand-off link', 'the page catches up', 'the deadline passes'],
      says: 'This payment has expired. If you’ve sent the money, it will reach the seller; don’t send it again. If you haven’t, continue on the device where you started.',
      shows: 'closed · start-over',
    },
  ],
  'expired-sent': [
    'a checkout of an expired order whose money is sent',
    {
      after: ['a part of the money arrives', SENT, 'the deadline passes'],
      says: 'This payment has expired. Money you’ve sent will still reach the seller. Don’t send it again.',
      shows: 'closed · ask-seller',
    },
    {
      after: [SENT, 'the deadline passes'],
      says: 'This payment has expired. Money you’ve sent will still reach the seller. Don’t send it again.',
      shows: 'closed · ask-seller',
    },
    {
      after: [SENT, 'the deadline passes'],
      place: {in: 'code'},
      says: 'This payment has expired. Money you’ve sent will still reach the seller. Don’t send it again.',
      shows: 'closed · ask-seller',
    },
  ],
  lost: [
    'a checkout with an order code whose session has ended',
    {
      after: [LOST],
      says: 'You can no longer track this order here. If you’ve sent the money, it will reach the seller; don’t send it again. If you haven’t, start a new payment.',
      shows: 'closed · start-over',
    },
  ],
  'lost-sent': [
    'a checkout whose session has ended after the money was sent',
    {
      after: [SENT, LOST],
      says: 'You can no longer track this order here. The money you’ve sent will reach the seller; don’t send it again. If you have a question, contact the seller.',
      shows: 'closed · ask-seller',
    },
    {
      after: [...REPORT, 'the platform receives the report', 'the deadline passes', LOST],
      says: 'You can no longer track this order here. The money you’ve sent will reach the seller; don’t send it again. If you have a question, contact the seller.',
      shows: 'closed · ask-seller',
    },
  ],
  'lost-elsewhere': [
    'an order from another device whose session has ended',
    {
      after: ['the shopper opens a hand-off link', 'the page catches up', LOST],
      says: 'You can no longer track this order here. If you’ve sent the money, it will reach the seller; don’t send it again. If you haven’t, continue on the device where you started.',
      shows: 'closed · ask-seller',
    },
  ],
  'lost-partial': [
    'a checkout that is partly paid and whose session has ended',
    {
      after: ['a part of the money arrives', SENT, LOST],
      says: 'You can no longer track this order here. The seller has received ₺100.00. If you’ve sent the rest, don’t send it again; if not, ask the seller.',
      shows: 'closed · ask-seller',
    },
    {
      after: [
        'a part of the money arrives',
        ...REPORT,
        'the platform receives the report',
        'the deadline passes',
        LOST,
      ],
      says: 'You can no longer track this order here. The seller has received ₺100.00. If you’ve sent the rest, don’t send it again; if not, ask the seller.',
      shows: 'closed · ask-seller',
    },
    {
      after: ['a part of the money arrives', LOST],
      says: 'You can no longer track this order here. The seller has received ₺100.00. If you’ve sent the rest, don’t send it again; if not, ask the seller.',
      shows: 'closed · ask-seller',
    },
  ],
};

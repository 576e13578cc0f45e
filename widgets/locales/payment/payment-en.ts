/** Texts for paying and for waiting for the payment, in English. Use whole sentences only; never build a sentence from parts. */

import {checkoutMessages} from '../checkout.ts';
import type {PaymentMessages} from './payment-tr.ts';

export const texts: PaymentMessages = {
  ...checkoutMessages.en,

  // The code and the account
  payTitle: 'Send the money from your bank',
  codeLabel: 'Enter only this as the description',
  codeCopy: 'Copy the code',
  codeCopied: 'Payment code copied.',
  ibanLabel: 'IBAN',
  ibanCopy: 'Copy the IBAN',
  ibanCopied: 'IBAN copied.',
  holderLabel: 'Recipient',
  holderCopy: 'Copy the recipient’s name',
  holderCopied: 'Recipient’s name copied.',
  holderOf: (seller = 'the seller') => `The payment provider for ${seller}. Your bank will show this name.`,
  amountLabel: 'Amount',
  amountRemainingLabel: 'Remaining amount',
  amountCopy: 'Copy the amount',
  amountCopied: 'Amount copied.',
  allCopied: 'Payment details copied.',
  copy: 'Copy',
  copied: 'Copied',
  account: 'Recipient’s bank',
  bankChange: 'Change bank',
  change: 'Change',
  bankChoose: 'Choose a bank',
  bankUnchosen: 'Choose a bank to see the account details.',
  bankGone: 'The bank you chose is no longer listed. Your payment code stays the same.',
  payUntil: 'Pay by',
  payWithin: 'Time left:',
  lastMinute: 'Less than a minute left: don’t send if you can’t make it.',
  overSoon: 'You’ll see how to continue when the time is up.',
  payOnce: 'Send the full amount in one transfer.',
  openApp: (bank) => `Open the ${bank} app`,
  share: 'Share these details',
  allCopy: 'Copy all',
  sent: 'I’ve sent the money',
  details: 'Payment details',
  openOnPhone: 'Open on a phone',
  begunElsewhere: 'This order was started on another device; if that wasn’t you, don’t pay.',
  backToOwn: 'Back to my own order',
  contactShop: 'You can reach the seller through the shop where you ordered.',
  codeOnly: 'Without the code in the description, we can’t match your payment.',

  // State of the payment
  unsavedCode: 'Your browser can’t save this code. Copy the details before you close the page.',
  unsent: 'I haven’t sent it yet',
  codeForgotten: 'I left out the code',
  cancel: 'Cancel',
  noticeFinish: 'Finish your report',
  notAgain: 'If you’ve sent money, don’t send it again.',
  receivedAt: (bank) => `To ${bank}`,
  phoneBill: 'From your phone bill',
  offlinePay: 'You can still pay with these details until the deadline; this page will update once you’re back online.',
  connectionLost: 'Connection lost. We’re trying again; your payment isn’t affected.',
  accountMissing: 'We can’t show the account yet. You won’t lose your code or order.',
  checkNow: 'Check now',

  // Title and text of each view of a payment. What takes the place of a usual text has no title.
  views: {
    pay: ['Waiting for your transfer', 'This page updates automatically. You can close it without losing your code.'],
    unsaved: ['', 'This page updates automatically.'],
    'on-its-way': [
      (sum = '') => (sum ? `Waiting for your ${sum} transfer` : 'Waiting for your transfer'),
      'This page updates automatically when your money arrives. Don’t send it again.',
    ],
    'at-platform': [
      (sum) => `Checking your ${sum} payment`,
      'If you’ve paid, it will show up here; don’t pay again. If not, you can still pay.',
    ],
    'unpaid-at-platform': [
      (sum) => `We don’t see your ${sum} payment yet`,
      'If you’ve paid, it will show up here; don’t pay again. If not, you can still pay.',
    ],
    'report-unfinished': [
      'Your report hasn’t arrived yet',
      'If you haven’t finished it, finish it now. Don’t send the money again.',
    ],
    'report-checked': ['Checking your report', 'This can take a few seconds. Don’t send the money again.'],
    'report-submitted': [
      'We’re looking for your payment',
      'We’re using your report to find it. This page updates when we do. Don’t send the money again.',
    ],
    'report-received': [
      'We’re looking for your payment',
      'We’re using your report to find it. This page updates when we do. Don’t send the money again.',
    ],
    partial: [
      (paid: string, remaining: string) => `${paid} received, ${remaining} to go`,
      'Send the rest in one transfer with the same code.',
    ],
    'partial-at-platform': [
      (paid: string, remaining: string) => `${paid} received, ${remaining} to go`,
      'If you’ve also paid the rest, it will show up here; don’t pay again. If not, you can still pay.',
    ],
    'partial-over': [
      'The time to pay is over',
      (paid, remaining) => `${paid} received, ${remaining} missing. Ask the seller before you send the rest.`,
    ],
    unclear: [
      'A payment has arrived',
      'It counts towards your order once the seller approves it. Don’t send it again; contact the seller if you have a question.',
    ],
    paid: ['Payment received', 'Thank you. There’s nothing else you need to do.'],
    completed: ['Your order is confirmed', 'There’s nothing else you need to do.'],
    'refunded-part': ['', (refund) => `The seller sent ${refund} back. It can take a few working days to reach you.`],
    late: [
      'Your payment arrived after the deadline',
      'Your money has reached the seller, who will check your order. Don’t send it again.',
    ],
    overpaid: [
      'You paid too much',
      (extra) => `Your order is paid. Contact the seller for a refund of the extra ${extra}.`,
    ],
    'paid-twice': [
      'Your payment arrived twice',
      (extra) => `Your order is paid. Contact the seller for a refund of the second ${extra}.`,
    ],
    refunding: [
      'Your refund is on its way',
      (sum) => `The seller is sending ${sum} back. It can take a few working days to reach you.`,
    ],
    refunded: [
      'Your payment was refunded',
      'The seller sent the money back. It can take a few working days to reach you.',
    ],
    cancelled: ['Your order was cancelled', 'Don’t send the money. If you already have, contact the seller.'],
    expired: [
      'This payment has expired',
      'If you’ve sent the money, it will reach the seller: don’t send it again. If not, start a new payment.',
    ],
    reopen: [
      '',
      'If you’ve sent the money, it will reach the seller; don’t send it again. If you haven’t, ask the seller for a new payment.',
    ],
    'expired-sent': ['This payment has expired', 'Money you’ve sent will still reach the seller. Don’t send it again.'],
    lost: [
      'You can no longer track this order here',
      'If you’ve sent the money, it will reach the seller; don’t send it again. If you haven’t, start a new payment.',
    ],
    'lost-sent': [
      'You can no longer track this order here',
      'The money you’ve sent will reach the seller; don’t send it again. If you have a question, contact the seller.',
    ],
    'lost-elsewhere': [
      'You can no longer track this order here',
      'If you’ve sent the money, it will reach the seller; don’t send it again. If you haven’t, continue on the device where you started.',
    ],
    'lost-partial': [
      'You can no longer track this order here',
      (paid) =>
        `The seller has received ${paid}. If you’ve sent the rest, don’t send it again; if not, ask the seller.`,
    ],
  },
};

/** Tells the platform of a transfer whose description had no code. */
import {formatAmount, type Kurus} from '../money.ts';
import type {PlatformClient} from '../platform/client.ts';
import {failureOf, type PlatformFailure} from '../platform/failure.ts';
import type {Input} from '../platform/operations/operations.ts';
import type {OrderRecord} from './order-store.ts';

/** What the shopper says. */
export interface Said {
  /** Code of the bank it was sent to. */
  readonly bank: string;
  readonly amount: Kurus;
  /** Who they are and when they sent it, in the platform's words. */
  readonly shopper: NonNullable<Input<'paymentNotificationCreate'>['PaymentNotification']>;
}

export type NoticeResult =
  /** The platform's code of the notice. */
  | {readonly code: string}
  | {readonly failure: PlatformFailure}
  /** The order has no code that anybody could have forgotten. */
  | {readonly absent: true}
  /** Enough was said of it for now. */
  | {readonly limited: {readonly retryAfterSeconds: number}};

export async function giveNotice(platform: PlatformClient, {service, order}: OrderRecord, {bank, amount, shopper}: Said): Promise<NoticeResult> {
  try {
    return await platform.call('paymentNotificationCreate', {code: service, order, bank, amount: formatAmount(amount), PaymentNotification: shopper});
  } catch (error) {
    return {failure: failureOf(error)};
  }
}

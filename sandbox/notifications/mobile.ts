/**
 * Billing and subscription notifications that some platforms send (observed.md, "Notifications"). Each is an unsigned
 * GET to a URL that the platform makes from the merchant's template by filling its placeholders. The sandbox sends
 * these notifications only if a template is configured.
 */

import type {NotifyUrls} from '../config.ts';
import type {Charge} from '../records/charges.ts';
import type {Readings} from '../records/readings.ts';
import type {Subscription} from '../records/subscriptions.ts';
import type {NotificationQueue} from './notifications.ts';

export class MobileNotifications {
  constructor(
    private readonly urls: Pick<NotifyUrls, 'billing' | 'subscription'>,
    private readonly notificationQueue: NotificationQueue,
    private readonly readings: Readings,
  ) {}

  /** Notifies the merchant that a charge succeeded, failed, is waiting or was refunded. */
  notifyCharge({subscriptionId, id, status, operator, referenceCode, amountKurus}: Charge): void {
    this.#enqueue('billing', {
      SubsId: subscriptionId,
      TransactionId: id,
      Status: status,
      Oid: operator,
      Order: referenceCode ?? '',
      Amount: this.readings.amountText(amountKurus),
    });
  }

  /** Notifies the merchant that a cycle began, changed its status or ended. */
  notifySubscription({id, status, operator, referenceCode, feeKurus}: Subscription): void {
    this.#enqueue('subscription', {
      SubsId: id,
      Status: status,
      Oid: operator,
      Order: referenceCode ?? '',
      Amount: this.readings.amountText(feeKurus),
    });
  }

  #enqueue(kind: 'billing' | 'subscription', values: Readonly<Record<string, string | number>>): void {
    const template = this.urls[kind];
    if (template === '') return;
    this.notificationQueue.enqueue(() => ({kind, method: 'GET', url: fillTemplate(template, values), content: values}));
  }
}

/** Fills the placeholders of a template such as `…?id=xxSubsIdxx`. A placeholder without a value becomes empty. */
export function fillTemplate(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/xx([A-Z][A-Za-z]*?)xx/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

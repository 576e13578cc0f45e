/** What subscribers read, in Turkish as on their phones. */

import {formatAmount} from '../amounts.ts';
import type {Period} from './subscriptions.ts';

const PER: Readonly<Record<Period, string>> = {weekly: ' / hafta', monthly: ' / ay', once: ''};

export interface Named {
  readonly item: string;
  readonly feeKurus: number;
  readonly period: Period;
}

export const texts = {
  pin: (pin: string) => `Onay kodunuz: ${pin}. 10 dakika geçerlidir, kimseyle paylaşmayın.`,
  subscribed: ({item, feeKurus, period}: Named) =>
    `${item} başladı. Ücreti: ${formatAmount(feeKurus)} TL${PER[period]}.`,
  trialStarted: ({item, feeKurus, period}: Named, days: number) =>
    `${item} ${days} gün ücretsiz başladı. Sonra: ${formatAmount(feeKurus)} TL${PER[period]}.`,
  charged: ({item, feeKurus}: Named) => `${item} yenilendi: ${formatAmount(feeKurus)} TL faturanıza eklendi.`,
  suspended: ({item}: Named) => `${item} ücreti alınamadığı için durduruldu.`,
  cancelled: ({item}: Named) => `${item} iptal edildi. Bundan sonra ücret alınmaz.`,
  refunded: ({item}: Named, amountKurus: number) => `${item} için alınan ${formatAmount(amountKurus)} TL iade edildi.`,
} as const;

import {formatAmount} from '../formats.ts';
import type {Clock} from './clock.ts';
import {countRows, insert, newId, selectPage, type Condition} from './sql.ts';
import type {Period} from './subscriptions.ts';

/** A text message to a subscriber (subscriptions.md 2.4). */
export interface Message {
  readonly id: number;
  readonly serviceId: number;
  readonly msisdn: string;
  readonly operator: number;
  readonly message: string;
  readonly sentAt: string;
}

export class Messages {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS messages (
      id INTEGER PRIMARY KEY,
      service_id INTEGER NOT NULL,
      msisdn TEXT NOT NULL,
      operator INTEGER NOT NULL,
      message TEXT NOT NULL,
      sent_at TEXT NOT NULL
    );
    CREATE INDEX IF NOT EXISTS messages_by_number ON messages (msisdn);
  `;

  constructor(
    private readonly sql: SqlStorage,
    private readonly clock: Clock,
  ) {}

  /** Stores the message instead of sending it to a phone. The control `sms` lists the messages. */
  send(
    {serviceId, msisdn, operator}: Pick<Message, 'serviceId' | 'msisdn' | 'operator'>,
    message: string,
    at = this.clock.now(),
  ): void {
    const id = newId(this.sql, 'messages');
    insert(this.sql, 'messages', {id, serviceId, msisdn, operator, message, sentAt: at});
  }

  count(condition: Condition): number {
    return countRows(this.sql, 'messages', condition);
  }

  /** @param order - The SQL after ORDER BY. */
  page(condition: Condition, ...page: [order: string, limit: number, offset: number]): Message[] {
    return selectPage(this.sql, 'messages', condition, page);
  }
}

const PER_PERIOD: Readonly<Record<Period, string>> = {weekly: ' / hafta', monthly: ' / ay', once: ''};

export interface BilledItem {
  readonly item: string;
  readonly feeKurus: number;
  readonly period: Period;
}

/** `12,00 TL` */
const inLira = (kurus: number) => `${formatAmount(kurus).replace('.', ',')} TL`;

/** The texts of the messages to subscribers, in Turkish. */
export const messageTexts = {
  pin: (pin: string) => `Onay kodunuz: ${pin}. 10 dakika geçerlidir, kimseyle paylaşmayın.`,
  subscribed: ({item, feeKurus, period}: BilledItem) =>
    `${item} başladı. Ücreti: ${inLira(feeKurus)}${PER_PERIOD[period]}.`,
  paid: ({item, feeKurus}: BilledItem) => `${item} için ${inLira(feeKurus)} ödediniz. Tutar faturanıza yansıtılacak.`,
  trialStarted: ({item, feeKurus, period}: BilledItem, days: number) =>
    `${item} ${days} gün ücretsiz başladı. Sonra: ${inLira(feeKurus)}${PER_PERIOD[period]}.`,
  charged: ({item, feeKurus}: BilledItem) => `${item} yenilendi: ${inLira(feeKurus)} faturanıza eklendi.`,
  suspended: ({item}: BilledItem) => `${item} ücreti alınamadığı için durduruldu.`,
  cancelled: ({item}: BilledItem) => `${item} iptal edildi. Bundan sonra ücret alınmaz.`,
  refunded: ({item}: BilledItem, amountKurus: number) => `${item} için alınan ${inLira(amountKurus)} iade edildi.`,
} as const;

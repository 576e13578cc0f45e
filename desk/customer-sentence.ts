/** The sentence about a payment that the shop sends to the customer, in the customer's language. */

import {formatTime} from '../widgets/core/format-time.ts';
import {formatAmount} from '../widgets/core/format.ts';
import type {Locale} from '../widgets/core/locale.ts';
import type {Order, Payment} from './client.ts';
import {sumOf} from './format.ts';
import {refundingOf} from './refunding.ts';

interface Words {
  readonly order: string;
  readonly code: string;
  readonly due: string;
  readonly paid: string;
  readonly remaining: string;
  readonly refunded: string;
  readonly excess: string;
  readonly refunding: string;
  readonly until: string;
}

type Sentence = (words: Words) => string;
type State = Payment['state'] | 'excess' | 'late' | 'overdue' | 'refunding';

const SENTENCES: Readonly<Record<Locale, Readonly<Record<State, Sentence>>>> = {
  tr: {
    waiting: ({order, due, code, until}) =>
      `${order} numaralı siparişiniz için ödemenizi bekliyoruz: ${due}. Açıklamaya yalnız ${code} kodunu yazın; süre ${until} tarihinde dolar.`,
    pending: ({order}) =>
      `${order} numaralı siparişinizin ödemesi bankada göründü ve onaylanmayı bekliyor. Sizin bir şey yapmanız gerekmiyor.`,
    partial: ({order, paid, remaining, code, until}) =>
      `${order} numaralı siparişiniz için ${paid} geldi, ${remaining} eksik. Eksiği aynı kodla (${code}) ${until} tarihine kadar gönderebilirsiniz.`,
    overdue: ({order, paid, remaining, until}) =>
      `${order} numaralı siparişiniz için ${paid} geldi, ${remaining} eksik. Ödeme süresi ${until} tarihinde doldu; nasıl devam edeceğimizi size bildireceğiz.`,
    paid: ({order, paid}) => `${order} numaralı siparişinizin ödemesini aldık: ${paid}. Teşekkür ederiz.`,
    overpaid: ({order, paid}) => `${order} numaralı siparişinizin ödemesini aldık: ${paid}. Teşekkür ederiz.`,
    excess: ({order, paid, excess}) => `${order} numaralı siparişiniz için ${paid} aldık; ${excess} geri gönderilecek.`,
    late: ({order, paid}) =>
      `${order} numaralı siparişinizin ödemesi süresi dolduktan sonra geldi: ${paid}. Siparişi tamamlayacağımızı ya da parayı geri göndereceğimizi size bildireceğiz.`,
    completed: ({order, paid}) => `${order} numaralı siparişinizin ödemesini aldık: ${paid}. Teşekkür ederiz.`,
    refunding: ({order, paid, refunding}) =>
      `${order} numaralı siparişiniz için ${paid} aldık; ${refunding} hesabınıza geri gönderiliyor. Hesabınıza geçmesi birkaç iş günü sürebilir.`,
    refunded: ({order, refunded}) => `${order} numaralı siparişiniz için ${refunded} hesabınıza geri gönderildi.`,
    expired: ({order, until, code}) =>
      `${order} numaralı siparişinizin ödeme süresi ${until} tarihinde doldu ve para gelmedi. Lütfen ${code} koduyla artık para göndermeyin.`,
    cancelled: ({order, code}) =>
      `${order} numaralı siparişiniz iptal edildi. Lütfen ${code} koduyla artık para göndermeyin.`,
  },
  en: {
    waiting: ({order, due, code, until}) =>
      `We are waiting for your payment of ${due} for order ${order}. Write only the code ${code} in the description, and send the money by ${until}.`,
    pending: ({order}) =>
      `The bank shows your payment for order ${order}, and it is waiting for approval. There is nothing you need to do.`,
    partial: ({order, paid, remaining, code, until}) =>
      `We received ${paid} for order ${order}, and ${remaining} is missing. You can send the rest with the same code (${code}) by ${until}.`,
    overdue: ({order, paid, remaining, until}) =>
      `We received ${paid} for order ${order}, and ${remaining} is missing. The time to pay ended at ${until}. We will tell you what happens next.`,
    paid: ({order, paid}) => `We received your payment of ${paid} for order ${order}. Thank you.`,
    overpaid: ({order, paid}) => `We received your payment of ${paid} for order ${order}. Thank you.`,
    excess: ({order, paid, excess}) =>
      `We received ${paid} for order ${order}, and ${excess} will be sent back to you.`,
    late: ({order, paid}) =>
      `Your payment of ${paid} for order ${order} came after the time to pay. We will tell you whether we complete the order or send the money back.`,
    completed: ({order, paid}) => `We received your payment of ${paid} for order ${order}. Thank you.`,
    refunding: ({order, paid, refunding}) =>
      `We received ${paid} for order ${order}, and ${refunding} is on its way back to your account. It can take a few working days.`,
    refunded: ({order, refunded}) => `We sent ${refunded} back to your account for order ${order}.`,
    expired: ({order, until, code}) =>
      `The time to pay for order ${order} ended at ${until}, and no money arrived. Please send no money with the code ${code} any more.`,
    cancelled: ({order, code}) =>
      `Your order ${order} was cancelled. Please send no money with the code ${code} any more.`,
  },
};

/** Follows if a part of the money was sent back, and the state does not say it. */
const SENT_BACK: Readonly<Record<Locale, (amount: string) => string>> = {
  tr: (amount) => ` ${amount} hesabınıza geri gönderildi.`,
  en: (amount) => ` We sent ${amount} back to your account.`,
};

/** @param now - Epoch milliseconds. */
export function customerSentence(
  {order, order_code, refunds}: Pick<Order, 'order' | 'order_code' | 'refunds'>,
  payment: Payment,
  locale: Locale,
  now: number,
): string {
  const {state, amount, paid, remaining, refunded, refundable, late, pay_until} = payment;
  // Nobody has decided yet what happens with late money.
  const isUndecided = refundable.reason === 'late' || (late && (state === 'paid' || state === 'overpaid'));
  const isOverdue = state === 'partial' && Date.parse(pay_until) <= now;
  const excess = Number(refundable.amount) > 0 ? 'excess' : null;
  const refunding = refundingOf(refunds);
  const decided = refunding === null ? (isUndecided ? 'late' : excess) : 'refunding';
  const sentence = SENTENCES[locale][decided ?? (isOverdue ? 'overdue' : state)]({
    order,
    code: order_code ?? '',
    due: formatAmount(amount, locale),
    // `paid` is without what was sent back, which a sentence of its own says.
    paid: formatAmount(sumOf([paid, refunded]), locale),
    remaining: formatAmount(remaining, locale),
    refunded: formatAmount(refunded, locale),
    excess: formatAmount(refundable.amount, locale),
    refunding: formatAmount(refunding ?? '0.00', locale),
    until: formatTime(pay_until, locale),
  });
  const isPartSentBack = Number(refunded) > 0 && state !== 'refunded';
  return isPartSentBack ? sentence + SENT_BACK[locale](formatAmount(refunded, locale)) : sentence;
}

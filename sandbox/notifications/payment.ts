/** The payment notification that some platforms send (observed, "Notifications"), off unless it has an address. */

import {formatAmount} from '../amounts.ts';
import {BANKS} from '../banks--banks.ts';
import type {Context} from '../context.ts';
import {paymentKey} from '../keys.ts';
import type {Transaction} from '../records/transactions.ts';

/** Tells the merchant about money that came for an order; money that nobody can explain is not told. */
export function tellPayment(transactionId: number, context: Context): void {
  const url = context.config.notifyUrls.payment;
  const transaction = context.transactions.find(transactionId);
  if (url === '' || !transaction?.orderCode) return;
  context.notificationQueue.enqueue(async () => ({
    kind: 'payment',
    method: 'POST',
    url,
    content: await toContent(transaction, context),
  }));
}

async function toContent(transaction: Transaction, {config}: Context) {
  const {merchantId, merchantPrivateKey, servicePrivateKeys} = config;
  const fields = {
    txid: transaction.id,
    code: transaction.orderCode ?? '',
    order: transaction.order ?? '',
    status: transaction.status,
    amount: formatAmount(transaction.amountKurus),
    transaction_date: transaction.transactionDate,
    bank: BANKS.find(({id}) => id === transaction.bankId)?.code ?? '',
  };
  const servicePrivateKey = servicePrivateKeys.get(transaction.serviceCode) ?? '';
  return {
    ...fields,
    key: await paymentKey(transaction.serviceCode, merchantId, fields, merchantPrivateKey, servicePrivateKey),
  };
}

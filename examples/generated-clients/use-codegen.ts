import {
  type Event,
  OpenAPI,
  SearchTransactionsRequestAmount,
  SessionsService,
  TransactionsService,
} from './dist/codegen';

OpenAPI.BASE = 'https://pay.shop.example';
OpenAPI.TOKEN = '…';

export async function openSession(order: string): Promise<string | undefined> {
  const {token} = await SessionsService.createSession(order, {
    kind: 'payment',
    origin: 'https://shop.example',
    service: 'SHOP',
    order,
    amount: '149.90',
  });
  return token;
}

export const largeTransfers = (service: string) =>
  TransactionsService.searchTransactions({
    service,
    amount: {operator: SearchTransactionsRequestAmount.operator.AT_LEAST, value: '1000.00'},
  });

export const paidOrder = (event: Event): string | null => (event.type === 'payment.received' ? event.data.order : null);

import {createSession, type Event} from './dist/orval';

export async function openSession(order: string): Promise<string | undefined> {
  const answer = await createSession(
    {kind: 'payment', origin: 'https://shop.example', service: 'SHOP', order, amount: '149.90'},
    {headers: {authorization: 'Bearer …', 'Idempotency-Key': order}},
  );
  return answer.status === 201 ? answer.data.token : undefined;
}

export const paidOrder = (event: Event): string | null => (event.type === 'payment.received' ? event.data.order : null);

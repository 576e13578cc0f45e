import {createApiClient, schemas} from './dist/zod-client';

const api = createApiClient('https://pay.shop.example', {
  axiosConfig: {headers: {authorization: 'Bearer …'}},
});

export async function openSession(order: string): Promise<string | undefined> {
  const {token} = await api.createSession(
    {kind: 'payment', origin: 'https://shop.example', service: 'SHOP', order, amount: '149.90'},
    {headers: {'Idempotency-Key': order}},
  );
  return token;
}

export function paidOrder(body: unknown): string | null {
  const event = schemas.Event.parse(body);
  return event.type === 'payment.received' ? event.data.order : null;
}

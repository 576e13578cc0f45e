import {createSession, type Event} from './dist/hey-api';
import {client} from './dist/hey-api/client.gen';

client.setConfig({baseUrl: 'https://pay.shop.example', auth: '…'});

export async function openSession(order: string): Promise<string | undefined> {
  const {data} = await createSession({
    headers: {'Idempotency-Key': order},
    body: {kind: 'payment', origin: 'https://shop.example', service: 'SHOP', order, amount: '149.90'},
  });
  return data?.token;
}

export const paidOrder = (event: Event): string | null => (event.type === 'payment.received' ? event.data.order : null);

import createClient from 'openapi-fetch';
import type {paths, webhooks} from './dist/openapi-typescript';

const client = createClient<paths>({baseUrl: 'https://pay.shop.example', headers: {authorization: 'Bearer …'}});

export async function openSession(order: string): Promise<string | undefined> {
  const {data} = await client.POST('/merchant/v1/sessions', {
    params: {header: {'Idempotency-Key': order}},
    body: {kind: 'payment', origin: 'https://shop.example', service: 'SHOP', order, amount: '149.90'},
  });
  return data?.token;
}

type Event = webhooks['event']['post']['requestBody']['content']['application/json'];

export const paidOrder = (event: Event): string | null => (event.type === 'payment.received' ? event.data.order : null);

import {cookies} from 'next/headers';
import {connection} from 'next/server';
import {Vezne} from 'vezne/merchant';
import {Checkout} from './checkout';

const {
  VEZNE_URL: worker = 'http://localhost:5173',
  VEZNE_KEY: key,
  ORIGIN: origin = 'http://localhost:8000',
} = process.env;

/** Rendered on the server for each visit: only the server says what the shopper pays. */
export default async function Page() {
  await connection();
  // `proxy.ts` has set it. A real shop has it in the shopper's session.
  const order = (await cookies()).get('cart')?.value ?? `S-${crypto.randomUUID()}`;
  const vezne = new Vezne({url: worker, key});
  const {token} = await vezne.sessions.create({kind: 'payment', origin, service: 'DEMO', order, amount: '149.90'});
  return <Checkout worker={worker} session={token} />;
}

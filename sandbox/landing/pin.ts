import type {Context} from '../context.ts';
import type {PinHolder} from '../records/landing.ts';
import {texts} from '../records/texts.ts';
import type {Parameters} from '../request.ts';
import type {Answer} from '../visit.ts';
import {Refusal} from './landing-statuses.ts';
import {heedMagic, requireProduct, requireSubscriber, type Subscriber} from './required.ts';

/** /generate-pin (subscriptions 4.C, rule 1): four digits by SMS. A newer PIN ends an older one. */
export function generatePin(parameters: Parameters, {messages, pins, subscriptions}: Context): Answer {
  const product = requireProduct(parameters);
  const subscriber = requireSubscriber(parameters);
  heedMagic(subscriber, 'pin');
  if (product.testMode) throw new Refusal('021');
  if (subscriptions.hasActive(subscriber.msisdn, product.id)) throw new Refusal('020');
  const pin = pins.issue(pinHolder(product.id, subscriber));
  messages.send({serviceId: product.service.id, ...subscriber}, texts.pin(pin));
  return {};
}

export function pinHolder(productId: number, {msisdn, operator}: Subscriber): PinHolder {
  return {purpose: `product:${productId}`, msisdn, operator};
}

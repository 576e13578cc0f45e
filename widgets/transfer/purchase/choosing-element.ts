import {choosingWords, type ChoosingWords} from '../../locales/checkout.ts';
import {PaymentElement} from './purchase-element.ts';

/** What the elements with which a bank is chosen have in common. */
export abstract class ChoosingElement extends PaymentElement<ChoosingWords> {
  protected override readonly words = choosingWords;
}

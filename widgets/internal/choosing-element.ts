import {choosingWords, type ChoosingWords} from '../locales/choosing.ts';
import {Languages} from './language.ts';
import {PaymentElement} from './payment-element.ts';

const languages = Languages.of(choosingWords);

/** What the elements with which a bank is chosen have in common. */
export abstract class ChoosingElement extends PaymentElement<ChoosingWords> {
  constructor() {
    super(languages);
  }
}

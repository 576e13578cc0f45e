/** Every element, for a page that has several kinds of them or asks for all. */

import './words-and-styles.ts';
import {define as defineElements, type ElementClass} from '../core/define.ts';
import {define as defineActivity} from './activity.ts';
import {elements as checkout} from './checkout.ts';
import {elements as hosted} from './hosted.ts';
import {elements as oneClick} from './one-click.ts';
import {elements as payment} from './payment.ts';
import {elements as pinSubscribe} from './pin-subscribe.ts';
import {elements as subscription} from './subscription.ts';
import {elements as vendorForm} from './vendor-form.ts';

export const elements: readonly ElementClass[] = [
  ...checkout,
  ...payment,
  ...hosted,
  ...pinSubscribe,
  ...oneClick,
  ...subscription,
  ...vendorForm,
];

export function define(all: readonly ElementClass[], api: string): void {
  defineElements(all);
  defineActivity([], api);
}

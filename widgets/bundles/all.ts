/** Every element, for a page that has several kinds of them or asks for all. */

import './words-and-styles.ts';
import {define as defineElements, type ElementClass} from '../core/define.ts';
import {define as count} from './activity.ts';
import {elements as choosing} from './checkout.ts';
import {elements as hosted} from './hosted.ts';
import {elements as confirming} from './one-click.ts';
import {elements as paying} from './payment.ts';
import {elements as subscribing} from './pin-subscribe.ts';
import {elements as managing} from './subscription.ts';
import {elements as registering} from './vendor-form.ts';

export const elements: readonly ElementClass[] = [
  ...choosing,
  ...paying,
  ...hosted,
  ...subscribing,
  ...confirming,
  ...managing,
  ...registering,
];

export function define(all: readonly ElementClass[], api: string): void {
  defineElements(all);
  count([], api);
}

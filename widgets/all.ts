/** Every element, for a page that has several kinds of them or asks for all. */

import './words-and-styles.ts';
import {elements as choosing} from './choosing.ts';
import {elements as confirming} from './confirming.ts';
import {define as count} from './counting.ts';
import {define as defineElements, type ElementClass} from './define.ts';
import {elements as hosted} from './hosted.ts';
import {elements as managing} from './managing.ts';
import {elements as paying} from './paying.ts';
import {elements as registering} from './registering.ts';
import {elements as subscribing} from './subscribing.ts';

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

/** A page with `vezne-pin-subscribe`, and what a shopper does on it. Every test starts with an empty storage. */

import '../../../widgets/bundles/pin-subscribe.ts';
import type {Script} from '../stub-worker/script.ts';
import {findAll, show, text, untilText} from './page.ts';
import {clickOn, press, typeInto} from './shopper.ts';
import {TestWorker} from './test-worker.ts';

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

export async function open(
  script: Partial<Script> = {},
  attributes = 'lang="en"',
): Promise<{worker: TestWorker; element: HTMLElement}> {
  const worker = await (script.isAllowed === false ? TestWorker.startCrossOrigin(script) : TestWorker.start(script));
  const element = show(
    `<vezne-pin-subscribe api="${worker.address}" offer="club" ${attributes}></vezne-pin-subscribe>`,
  );
  return {worker, element};
}

export async function fillIn(element: Element, number = '0532 123 45 67'): Promise<void> {
  await clickOn(element, '[name=operator][value="4"]');
  await typeInto(element, '#number', number);
  await clickOn(element, '[name=consent]');
}

export async function reachPin(element: Element): Promise<void> {
  await fillIn(element);
  await press(element, 'Text me a code');
  await untilText(element, 'Enter the code we texted you');
}

export async function enter(element: Element, pin: string, label = 'Subscribe for ₺12.00 a week'): Promise<void> {
  await typeInto(element, '#pin', pin);
  await press(element, label);
}

export const button = (element: Element, label: string) =>
  findAll<HTMLButtonElement>(element, 'button').find((each) => text(each).includes(label));

/** Helpers that do what a shopper does on a page. They also search inside shadow roots. */

import {find, findAll, text, until} from './page.ts';

/** Waits for the button with this label, and clicks it. */
export async function press(within: Element, label: string): Promise<void> {
  const button = await until(`a button “${label}”`, () =>
    findAll<HTMLButtonElement>(within, 'button').find((each) => text(each).includes(label)),
  );
  button.click();
}

/** Waits for a field, and types into it. */
export async function typeInto(within: Element, selector: string, value: string): Promise<void> {
  const field = await until(selector, () => find<HTMLInputElement>(within, selector));
  field.value = value;
  field.dispatchEvent(new InputEvent('input', {bubbles: true}));
  field.dispatchEvent(new Event('change', {bubbles: true}));
}

/** Waits for a control, and clicks it. */
export async function clickOn(within: Element, selector: string): Promise<void> {
  (await until(selector, () => find<HTMLElement>(within, selector))).click();
}

/** Waits for a bank, and chooses it. */
export async function chooseBank(within: Element, name: string): Promise<void> {
  const bank = await until(`the bank ${name}`, () =>
    findAll(within, 'label.bank').find((each) => text(each).includes(name)),
  );
  bank.click();
}

/** Waits for a bank, and selects it with the keyboard. A checkout stays at the bank step. */
export async function selectBank(within: Element, name: string): Promise<void> {
  const bank = await until(`the bank ${name}`, () =>
    findAll(within, 'label.bank').find((each) => text(each).includes(name)),
  );
  const radio = find(bank, 'input');
  radio?.dispatchEvent(new KeyboardEvent('keydown', {key: ' ', bubbles: true}));
  radio?.click();
}

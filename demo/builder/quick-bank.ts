/** What the shopper's bank and phone do beside the preview: a button sends the money, and a line shows the newest SMS. */

import {remainderOf, showAmount} from '../amount.ts';
import {counterMessages, fallbackMessages} from '../bank-counter-messages.ts';
import {pollWhileVisible, type SandboxClient} from '../sandbox-client.ts';

type OrderCodeEvent = Event & {
  readonly orderCode: {readonly order_code: string};
};

/** @param button - The button, which is disabled until an order in the frame has its code. */
export function openQuickBank(
  frame: HTMLIFrameElement,
  button: HTMLButtonElement,
  result: HTMLElement,
  sandbox: SandboxClient,
): void {
  const language = document.documentElement.lang;
  const messages = counterMessages[language] ?? fallbackMessages;
  let code = '';
  let bank = 'ziraat';

  const watch = (): void => {
    code = '';
    button.disabled = true;
    result.textContent = '';
    const page = frame.contentDocument;
    page?.addEventListener('vezne-bank-select', (event) => {
      bank = (event as Event & {readonly bank: {readonly code: string}}).bank.code;
    });
    page?.addEventListener('vezne-order-code', (event) => {
      code = (event as OrderCodeEvent).orderCode.order_code;
      button.disabled = false;
    });
  };
  // The elements of the page in the frame start after the frame's own script, which loads them.
  frame.addEventListener('load', watch);

  button.addEventListener('click', async () => {
    try {
      const order = (await sandbox.orders(50)).find(({order_code: each}) => each === code);
      if (!order) throw new Error('The sandbox does not know the order.');
      const amount = remainderOf(order.amount, order.arrived);
      await sandbox.send({description: code, bank, amount});
      result.textContent = messages.matched(showAmount(amount, language));
    } catch {
      result.textContent = messages.away;
    }
  });
}

/** Shows each SMS that the sandbox sends from now on, because it has the PIN that a subscription asks for. */
export function openQuickPhone(result: HTMLElement, sandbox: SandboxClient): void {
  let seen: string | undefined;
  void pollWhileVisible(async () => {
    const [sms] = await sandbox.sms(1);
    const next = JSON.stringify(sms) ?? '';
    if (seen !== undefined && seen !== next) result.textContent = `SMS: ${sms?.message}`;
    seen = next;
  })();
}

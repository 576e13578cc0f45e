// @ts-check
// The journeys of `npm run browsers`: a shopper pays by bank transfer, and a shopper subscribes with a PIN. The steps
// find elements by selectors, not by the sentences on the page, because sentences change more often.

import {setTimeout as wait} from 'node:timers/promises';

/** @typedef {import('./other-browsers.mjs').BrowserDriver} BrowserDriver */
/** @typedef {{page: string, sandbox: string}} Origins */

const TIMEOUT_MS = 60_000;
const POLL_MS = 200;

/**
 * A script that finds the first visible element with the selector and the text, in the page and in shadow roots.
 * @param {string} selector
 * @param {string} [text]
 */
const finder = (selector, text = '') => `
  const search = (root) => {
    for (const element of root.querySelectorAll('*')) {
      const isVisible = element.getClientRects().length > 0;
      if (isVisible && element.matches(${JSON.stringify(selector)}) && element.textContent.includes(${JSON.stringify(text)})) return element;
      const found = element.shadowRoot && search(element.shadowRoot);
      if (found) return found;
    }
    return null;
  };
  const found = search(document);`;
const findElement = (/** @type {string} */ selector, text = '') => `${finder(selector, text)} return found;`;
const readText = (/** @type {string} */ selector, text = '') =>
  `${finder(selector, text)} return found && found.textContent;`;

/**
 * Repeats a step until the step returns a value that is not empty.
 * @template T
 * @param {string} what - Named in the error.
 * @param {() => Promise<T | null | undefined | false | ''>} step
 * @returns {Promise<T>}
 */
async function until(what, step) {
  const startedAt = Date.now();
  for (;;) {
    const result = await step();
    if (result) return result;
    if (Date.now() - startedAt > TIMEOUT_MS) throw new Error(`There was no ${what}.`);
    await wait(POLL_MS);
  }
}

/** @param {BrowserDriver} browser @param {string} selector @param {string} [text] */
const element = (browser, selector, text) =>
  until(`${selector} ${text ?? ''}`, () => browser.find(findElement(selector, text)));

/** @param {string} url @param {object} [body] */
async function callSandbox(url, body) {
  const response = await fetch(url, body && {method: 'POST', body: JSON.stringify(body)});
  return /** @type {any} */ (await response.json());
}

/**
 * A shopper chooses a bank, sends the money, sees the payment, and goes to the order.
 * @param {BrowserDriver} browser
 * @param {Origins} origins
 */
export async function payByTransfer(browser, {page, sandbox}) {
  await browser.open(`${page}/shop`);
  await (await element(browser, 'label', 'Ziraat Bankası')).click();
  const code = await until('order code', async () => {
    const shown = await browser.read(readText('[part~=code] bdi'));
    return shown?.replaceAll(/\s/g, '');
  });
  const transfer = {description: code, bank: 'ziraat', amount: '149.90', sender: 'Deniz Örnek'};
  const {matched} = await callSandbox(`${sandbox}/_sandbox/transfers`, transfer);
  if (!matched) throw new Error('The sandbox did not match the transfer.');
  await (await element(browser, '[slot=paid] a')).click();
  await element(browser, '#delivery');
}

/**
 * A shopper enters a mobile number and the PIN from the SMS, and is subscribed.
 * @param {BrowserDriver} browser
 * @param {Origins} origins
 */
export async function subscribeWithPin(browser, {page, sandbox}) {
  const msisdn = `54${String(Date.now()).slice(-8)}`;
  await browser.open(`${page}/club`);
  await (await element(browser, 'label', 'Telemavi')).click();
  await (await element(browser, 'input[name=number]')).type(`0${msisdn}`);
  await (await element(browser, 'input[name=consent]')).click();
  await (await element(browser, 'button[type=submit]')).click();
  const field = await element(browser, 'input[autocomplete=one-time-code]');
  const pin = await until('SMS with a PIN', async () => {
    const {messages} = await callSandbox(`${sandbox}/_sandbox/sms?msisdn=${msisdn}`);
    return /\b\d{4}\b/.exec(messages.at(-1)?.message ?? '')?.[0];
  });
  await field.type(pin);
  await (await element(browser, 'button[type=submit]')).click();
  await element(browser, 'vezne-pin-subscribe > a[slot=manage]');
  const {subscriptions} = await callSandbox(`${sandbox}/_sandbox/subscriptions?msisdn=${msisdn}`);
  if (subscriptions[0]?.status !== 'active') throw new Error('The platform has no active subscription.');
}

/** A shopper in a browser. The shopper finds elements by their visible text, in Turkish by default. */

import type {Locator, Page} from 'playwright-core';
import {expect} from 'vitest';

const TURKISH = {
  send: 'Parayı gönder',
  shop: 'Mağaza',
  bank: 'Banka',
  description: 'Açıklama',
  amount: 'Tutar',
};
const ENGLISH: typeof TURKISH = {
  send: 'Send the money',
  shop: 'Shop',
  bank: 'Bank',
  description: 'Description',
  amount: 'Amount',
};

export class Shopper {
  readonly page: Page;
  readonly #texts: typeof TURKISH;

  constructor(page: Page, language: 'tr' | 'en' = 'tr') {
    this.page = page;
    this.#texts = language === 'tr' ? TURKISH : ENGLISH;
  }

  /** Chooses a bank. The checkout then continues without another tap. */
  async chooseBank(name = 'Ziraat Bankası'): Promise<void> {
    await this.page.getByRole('radio', {name}).click();
  }

  /** Waits for the order code on the page. @returns the code without spaces. */
  async readCode(): Promise<string> {
    const element = this.page.locator('vezne-payment-code [part=code] bdi');
    await element.waitFor();
    const code = (await element.textContent())?.replaceAll(/\s/g, '') ?? '';
    expect(code).toMatch(/^[0-9A-Z]{6,}$/);
    return code;
  }

  /** Chooses a bank and reads the code. */
  async getCode(): Promise<string> {
    await this.chooseBank();
    return this.readCode();
  }

  /** Waits until a text is visible. */
  async waitForText(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).filter({visible: true}).first().waitFor();
  }

  /** @returns The first element with this role and name. */
  find(role: Parameters<Page['getByRole']>[0], name: string | RegExp): Locator {
    return this.page.getByRole(role, {name}).first();
  }

  /** Sends a transfer at the demo's bank counter: in its own tab on a phone, beside the shop on a desktop. */
  async payAtCounter({description, amount}: {description: string; amount: string}): Promise<void> {
    const tab = this.page.getByRole('tab', {name: this.#texts.bank});
    const counter = this.page.locator('form.counter');
    await this.#waitForLayout();
    if (await tab.isVisible()) await tab.click();
    await counter.locator('option').first().waitFor({state: 'attached'});
    await counter.getByLabel(this.#texts.description, {exact: true}).fill(description);
    await counter.getByLabel(this.#texts.amount, {exact: true}).fill(amount);
    await counter.getByRole('button', {name: this.#texts.send}).click();
    await counter.locator('.result:not(:empty)').waitFor();
    if (await tab.isVisible()) await this.page.getByRole('tab', {name: this.#texts.shop}).click();
  }

  /** Waits two frames: after the viewport changes, the page may keep its old layout until the next frame. */
  async #waitForLayout(): Promise<void> {
    await this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  }
}

/** Somebody who buys: finds things by what is written on them, in Turkish unless told otherwise. */

import type {Locator, Page} from 'playwright-core';
import {expect} from 'vitest';

const TURKISH = {
  next: 'Devam',
  send: 'Parayı gönder',
  shop: 'Dükkân',
  bank: 'Deneme bankası',
  description: 'Açıklama',
  amount: 'Tutar',
};
const ENGLISH: typeof TURKISH = {
  next: 'Continue',
  send: 'Send the money',
  shop: 'Shop',
  bank: 'Pretend bank',
  description: 'Description',
  amount: 'Amount',
};

export class Shopper {
  readonly page: Page;
  readonly #words: typeof TURKISH;

  constructor(page: Page, language: 'tr' | 'en' = 'tr') {
    this.page = page;
    this.#words = language === 'tr' ? TURKISH : ENGLISH;
  }

  async choosesBank(name = 'Ziraat Bankası'): Promise<void> {
    await this.page.getByRole('radio', {name}).check();
    await this.page.getByRole('button', {name: this.#words.next, exact: true}).click();
  }

  /** The order code on the page, once it is there. */
  async readsCode(): Promise<string> {
    const shown = this.page.locator('vezne-payment-code [part=code] bdi');
    await shown.waitFor();
    const code = (await shown.textContent())?.replaceAll(/\s/g, '') ?? '';
    expect(code).toMatch(/^[0-9A-Z]{6,}$/);
    return code;
  }

  /** Chooses a bank and reads the code. */
  async getsCode(): Promise<string> {
    await this.choosesBank();
    return this.readsCode();
  }

  /** Waits until a sentence can be read. */
  async reads(sentence: string | RegExp): Promise<void> {
    await this.page.getByText(sentence).filter({visible: true}).first().waitFor();
  }

  /** The first thing with this role and name. */
  finds(role: Parameters<Page['getByRole']>[0], name: string | RegExp): Locator {
    return this.page.getByRole(role, {name}).first();
  }

  /** At the demo's bank counter: on a phone behind its tab, on a desk beside the shop. */
  async sendsAtCounter({description, amount}: {description: string; amount: string}): Promise<void> {
    const tab = this.page.getByRole('tab', {name: this.#words.bank});
    const counter = this.page.locator('form.counter');
    await this.#settles();
    if (await tab.isVisible()) await tab.click();
    await counter.locator('option').first().waitFor({state: 'attached'});
    await counter.getByLabel(this.#words.description, {exact: true}).fill(description);
    await counter.getByLabel(this.#words.amount, {exact: true}).fill(amount);
    await counter.getByRole('button', {name: this.#words.send}).click();
    await counter.locator('.result:not(:empty)').waitFor();
    if (await tab.isVisible()) await this.page.getByRole('tab', {name: this.#words.shop}).click();
  }

  /** A page hears of a new width with its next frame: until then it may still look as it did before. */
  async #settles(): Promise<void> {
    await this.page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    );
  }
}

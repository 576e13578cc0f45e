/** A shopper in a browser. The shopper finds elements by their visible text. */

import type {Locator, Page} from 'playwright-core';
import {expect} from 'vitest';

export class Shopper {
  constructor(readonly page: Page) {}

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
}

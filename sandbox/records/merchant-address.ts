import type {Levers} from './settings.ts';

const LEVER = 'merchant-address-allowed';

/** Whether the platform takes calls from the merchant's network address; a control says no. */
export class MerchantAddress {
  constructor(private readonly settings: Levers) {}

  isAllowed(): boolean {
    return this.settings.get(LEVER) !== false;
  }

  allow(allowed: boolean): void {
    this.settings.set(LEVER, allowed);
  }
}

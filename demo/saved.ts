/** Values that the demo's pages share in the browser's storage. If the storage is blocked, the pages share nothing. */

/**
 * The bank that the shopper chose in the shop. The shop reports the choice only once, but the demo's page of the bank
 * needs it later.
 */
export const BANK = 'demo: bank';
/** The code of the order on this browser's shop page. */
export const ORDER = 'demo: order';
/** Not empty if this browser's order is paid. */
export const PAID = 'demo: paid';

export function save(key: string, value: string): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Storage is blocked.
  }
}

/** Writes an order code in groups of four characters, as the elements show it. */
export function groupCode(code: string): string {
  return code.replaceAll(/(.{4})(?=.)/g, '$1 ');
}

/** Returns an empty text if there is no value. */
export function load(key: string): string {
  try {
    return JSON.parse(localStorage.getItem(key) ?? '""') as string;
  } catch {
    return '';
  }
}

/** The code of the bank at which a page of this origin pays an order; empty if no page of it has the order. */
export function bankOfOrder(code: string): string {
  try {
    const saved = Object.entries(localStorage)
      .filter(([key]) => key.startsWith('vezne '))
      .map(([, text]) => JSON.parse(String(text)) as StoredPurchase | null);
    const purchase = saved.find((each) => each?.instructions?.orderCode?.order_code === code);
    return purchase?.instructions?.account?.code ?? '';
  } catch {
    return '';
  }
}

interface StoredPurchase {
  readonly instructions?: {
    readonly orderCode?: {readonly order_code?: string};
    readonly account?: {readonly code?: string};
  };
}

/** Subscriptions 8: how long a PIN counts. */
export const PIN_MS = 10 * 60_000;

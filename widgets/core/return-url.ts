/**
 * The URLs to which the platform's pages send the shopper back. The outcome in such a URL proves nothing, because
 * anybody can write it. The elements read the state of the payment from the Worker.
 */
const RETURN_PARAMETER = 'vezne-return';

/**
 * The URL of this page, with a parameter that says from which page and with which outcome the shopper came back.
 * @param hostedPage the platform's page that the shopper visits, for example `bank-page`.
 * @param outcome the outcome, for example `success`.
 */
export function returnUrl(hostedPage: string, outcome: string): string {
  const address = new URL(location.href);
  address.hash = '';
  address.searchParams.set(RETURN_PARAMETER, `${hostedPage}.${outcome}`);
  return address.href;
}

/**
 * Reads the outcome from this page's URL, and removes it from the URL.
 * @returns The `outcome` given to `returnUrl`; null if the shopper did not return from that page.
 */
export function takeReturnOutcome(hostedPage: string): string | null {
  const address = new URL(location.href);
  const [returnedFrom, outcome = null] = address.searchParams.get(RETURN_PARAMETER)?.split('.') ?? [];
  if (returnedFrom !== hostedPage) return null;
  address.searchParams.delete(RETURN_PARAMETER);
  history.replaceState(history.state, '', address.href);
  return outcome;
}

/**
 * The URLs to which the platform's pages send the shopper back. The outcome in a return URL proves nothing, because
 * anybody can write such a URL. The elements read the state of the payment from the Worker.
 */
const RETURN_PARAMETER = 'vezne-return';

/** The Worker refuses a longer return URL. */
const MAX_LENGTH = 2000;

/**
 * The URL of this page, with a parameter that names the platform's page from which the shopper came back, and the
 * outcome. It keeps the fragment, in which a page may have its route.
 * @param hostedPage - The platform's page that the shopper visits, for example `bank-page`.
 * @param outcome - The outcome, for example `success`.
 */
export function returnUrl(hostedPage: string, outcome: string): string {
  const address = new URL(location.href);
  address.searchParams.set(RETURN_PARAMETER, `${hostedPage}.${outcome}`);
  if (address.href.length > MAX_LENGTH) address.hash = '';
  return address.href;
}

/**
 * Reads the outcome from this page's URL, and removes it from the URL.
 * @returns The `outcome` that was passed to `returnUrl`; null if the shopper did not return from `hostedPage`.
 */
export function takeReturnOutcome(hostedPage: string): string | null {
  const address = new URL(location.href);
  const [returnedFrom, outcome = null] = address.searchParams.get(RETURN_PARAMETER)?.split('.') ?? [];
  if (returnedFrom !== hostedPage) return null;
  address.searchParams.delete(RETURN_PARAMETER);
  history.replaceState(history.state, '', address.href);
  return outcome;
}

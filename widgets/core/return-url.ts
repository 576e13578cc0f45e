/**
 * The way to one of the platform's pages and back. What the address says on return is a hint, taken out of it at once:
 * how a payment stands is read from the Worker.
 */
const RETURN_PARAMETER = 'vezne-return';

/** This page's address, marked so that it knows from where it was opened again. */
export function returnUrl(from: string, how: string): string {
  const address = new URL(location.href);
  address.hash = '';
  address.searchParams.set(RETURN_PARAMETER, `${from}.${how}`);
  return address.href;
}

/**
 * How this page was returned to, taken out of its address.
 * @param from the page of the platform, as `returnUrl` was given it.
 * @returns What `returnUrl` was given as `how`; null where the shopper did not return from there.
 */
export function takeReturnOutcome(from: string): string | null {
  const address = new URL(location.href);
  const [where, how = null] = address.searchParams.get(RETURN_PARAMETER)?.split('.') ?? [];
  if (where !== from) return null;
  address.searchParams.delete(RETURN_PARAMETER);
  history.replaceState(history.state, '', address.href);
  return how;
}

/** Where a shopper returns to from one of the platform's hosted pages. */
export interface HostedReturns {
  /** When they are done. */
  readonly redirect_url?: string | undefined;
  /** By its "back". */
  readonly back_url?: string | undefined;
}

/** The address of one of the platform's hosted pages, for an order code (orders 4.2) or a payment notice's (4.4). @param base `PAYMENT_PAGE_URL`. */
export function hostedPage(
  base: string,
  path: '/phs/banks/' | '/phs/yonlendir/',
  code: string,
  {redirect_url, back_url}: HostedReturns,
): string {
  const url = new URL(`${base}${path}${encodeURIComponent(code)}`);
  if (redirect_url !== undefined) url.searchParams.set('redirect', redirect_url);
  if (back_url !== undefined) url.searchParams.set('backUrl', back_url);
  return url.href;
}

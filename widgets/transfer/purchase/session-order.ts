/**
 * Whether an answer is for the order that a session's token names. A cache of the page could bring that of another order.
 * A token that cannot be read excludes no answer.
 */
export function isOrderOf(token: string | undefined, {order}: {readonly order: string}): boolean {
  try {
    const [, payload = ''] = String(token).split('.');
    // `atob` makes a character of each byte of the UTF-8 text.
    const claims = JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/'))) as {order?: unknown};
    return claims.order === unescape(encodeURIComponent(order));
  } catch {
    return true;
  }
}

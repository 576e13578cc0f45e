/**
 * Whether an answer is for the order that a session's token names. A cache of the page could bring that of another order.
 * A token that cannot be read excludes no answer.
 */
export function isOrderOf(token: string | undefined, {order}: {readonly order?: string}): boolean {
  try {
    const payload = atob((token?.split('.')[1] as string).replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(payload, (byte) => byte.charCodeAt(0));
    return (JSON.parse(new TextDecoder().decode(bytes)) as {order?: unknown}).order === order;
  } catch {
    return true;
  }
}

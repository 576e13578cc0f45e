/** A hand-off code names its order, so that no list of them is needed: `<secret>/<service>/<order>`. */
export interface HandoffCode {
  readonly secret: string;
  readonly service: string;
  /** The merchant's reference; it may hold any character. */
  readonly order: string;
}

export function formatHandoff({secret, service, order}: HandoffCode): string {
  return [secret, encodeURIComponent(service), encodeURIComponent(order)].join('/');
}

/** Null when it is no hand-off code. */
export function parseHandoff(text: string): HandoffCode | null {
  const [secret, service, order, ...rest] = text.split('/');
  if (!secret || !service || !order || rest.length > 0) return null;
  try {
    return {secret, service: decodeURIComponent(service), order: decodeURIComponent(order)};
  } catch {
    return null;
  }
}

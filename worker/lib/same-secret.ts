const secretEncoder = new TextEncoder();

/** Whether two texts are the same, in a time that tells nothing but their lengths. */
export function isSameSecret(a: string, b: string): boolean {
  const [first, second] = [secretEncoder.encode(a), secretEncoder.encode(b)];
  return first.length === second.length && crypto.subtle.timingSafeEqual(first, second);
}

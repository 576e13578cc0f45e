/** Lowercase hex MD5 of the parts in UTF-8, joined without separators: how the platform makes every key. */
export async function md5(...parts: readonly (string | number)[]): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('MD5', new TextEncoder().encode(parts.join(''))));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

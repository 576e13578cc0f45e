/** Reads e-mail addresses. */

/** `  Deniz@SHOP.Example ` → `Deniz@shop.example`; undefined if the text is no e-mail address. */
export function readEmail(text: string): string | undefined {
  const [, local, domain] =
    /^([^\s\p{C}@"(),:;<>[\\\]]{1,64})@((?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+\p{L}[\p{L}\d-]*\p{L})$/u.exec(
      text
        .normalize('NFC')
        .replace(/\p{Cf}/gu, '')
        .trim(),
    ) ?? [];
  return local === undefined || domain === undefined || text.length > 254
    ? undefined
    : `${local}@${domain.toLowerCase()}`;
}

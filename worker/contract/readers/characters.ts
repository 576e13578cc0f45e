/** What all readers of typed and pasted text do first. */

/**
 * Replaces full-width and Arabic-script digits by ASCII digits, and removes accents and all characters that nobody
 * sees, such as the direction marks around a number of an address book. `İ` becomes `I`.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{Cf}\p{Co}\p{DI}\p{M}]/gu, '')
    .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15));
}

/** Folds a text, and removes spaces and dashes of every kind. */
export function compactText(text: string): string {
  return foldText(text).replace(/[\s\p{Pd}−⁃˗]/gu, '');
}

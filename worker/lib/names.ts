/** Folds names, so that a search finds a name however it is written. */

/** A name without case, accents and dots, as databases compare it. */
export const fold = (name: string) =>
  name.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '').replaceAll('ı', 'i').trim();

/** The words of a name without case, accents and dots: `İpek YILDIZ-Öz` becomes `ipek`, `yildiz`, `oz`. */
export function foldedWords(name: string): string[] {
  return fold(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

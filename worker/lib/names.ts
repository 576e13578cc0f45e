/** Folds names, so that a search finds a name however it is written. */

/** The words of a name without case, accents and dots: `İpek YILDIZ-Öz` becomes `ipek`, `yildiz`, `oz`. */
export function foldedWords(name: string): string[] {
  const folded = name.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '').replaceAll('ı', 'i');
  return folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

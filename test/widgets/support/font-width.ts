/** Width of the lower-case alphabet in Arial, in em. */
const ARIAL_ALPHABET = 12.726;

/** How wide a font of this device is in relation to Arial. Fonts differ by a fifth in width. */
export function fontWidth(family: string): number {
  const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
  context.font = `100px ${family}`;
  return context.measureText('abcdefghijklmnopqrstuvwxyz').width / 100 / ARIAL_ALPHABET;
}

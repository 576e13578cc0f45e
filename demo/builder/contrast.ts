/** The contrast of two colors by WCAG 2: from 1 for equal colors to 21 for black on white. */
export function contrast(first: string, second: string): number {
  const [light = 0, dark = 0] = [luminance(first), luminance(second)].sort((one, other) => other - one);
  return (light + 0.05) / (dark + 0.05);
}

/** @param color - `#rrggbb`. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Text needs a contrast of 4.5, and large text and edges one of 3. */
export type Readability = 'good' | 'large' | 'bad';

export function readability(ratio: number): Readability {
  if (ratio >= 4.5) return 'good';
  return ratio >= 3 ? 'large' : 'bad';
}

import {MIN_CONTRAST} from '../../worker/contract/readers/contrast.ts';

/** What a contrast is enough for: large text and edges need 3 (WCAG 2). */
export function readability(ratio: number): 'good' | 'large' | 'bad' {
  if (ratio >= MIN_CONTRAST) return 'good';
  return ratio >= 3 ? 'large' : 'bad';
}

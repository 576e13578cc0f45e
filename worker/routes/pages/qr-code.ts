/** QR codes, for pages and for merchants. */

import {generate} from 'lean-qr/nano';
import {type Html, html} from './html.ts';

/** The light border that cameras need to find the code, in modules of the code. */
const QUIET_ZONE = 4;

/**
 * A QR code as one path. Each path has its colors itself, because many pages have a rule such as
 * `svg { fill: currentColor; stroke: currentColor }`. Attributes work where a policy forbids inline styles.
 * @param label - What a screen reader says.
 */
export function qrCode(text: string, label: string): Html {
  const code = generate(text);
  const size = code.size + 2 * QUIET_ZONE;
  let path = '';
  for (let y = 0; y < code.size; y++) {
    for (let x = 0, end = 0; x < code.size; x = end + 1) {
      for (end = x; code.get(end, y);) end += 1;
      if (end > x) path += `M${x + QUIET_ZONE} ${y + QUIET_ZONE}h${end - x}v1H${x + QUIET_ZONE}z`;
    }
  }
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" stroke="none" d="M0 0h${size}v${size}H0z"/><path fill="#000" stroke="none" d="${path}"/></svg>`;
}

/** A QR code as an image, in which neither extensions for dark pages nor forced colors change a color. */
export function qrImage(text: string, label: string): Html {
  return html`<img class="qr" alt="${label}" src="data:image/svg+xml,${encodeURIComponent(qrCode(text, label).text)}">`;
}

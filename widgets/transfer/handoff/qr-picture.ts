import {generate} from 'lean-qr/nano';
import {svg, type SVGTemplateResult} from 'lit';

/** The light border without which cameras do not find a code, in modules. */
const QUIET = 4;

/** A text as a QR code: dark on light whatever is around it, drawn as one path. */
export function qrPicture(text: string, label: string): SVGTemplateResult {
  const code = generate(text);
  const size = code.size + 2 * QUIET;
  let path = '';
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      if (code.get(x, y)) path += `M${x + QUIET} ${y + QUIET}h1v1h-1z`;
    }
  }
  return svg`<svg class="qr" part="qr" role="img" aria-label=${label} viewBox="0 0 ${size} ${size}">
    <path class="quiet" d="M0 0h${size}v${size}H0z" />
    <path d=${path} />
  </svg>`;
}

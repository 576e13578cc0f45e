/** Types of `document.querySelector('vezne-checkout')` and `addEventListener('vezne-payment', …)`. */

import type {VezneElements, VezneEvents} from './index.js';

declare global {
  interface HTMLElementTagNameMap extends VezneElements {}
  interface GlobalEventHandlersEventMap extends VezneEvents {}
}

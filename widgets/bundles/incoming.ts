/**
 * A lazy bundle: asks the shopper whether to open the order of a hand-off link. A page loads the bundle if the shopper
 * opened the page with a hand-off link.
 */

import {html, type TemplateResult} from 'lit';
import {define} from '../core/define.ts';
import {VezneIncoming} from '../transfer/handoff/vezne-incoming.ts';

/** Renders the question in place of the host element's content. */
export function incoming(
  {offer, session, api}: Pick<VezneIncoming, 'offer' | 'session' | 'api'>,
  lang: string,
): TemplateResult {
  return html`<vezne-incoming
    data-autofocus
    lang=${lang}
    exportparts="problem,button"
    .offer=${offer}
    .session=${session}
    .api=${api}
  ></vezne-incoming>`;
}

define(VezneIncoming);

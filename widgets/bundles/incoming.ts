/** What asks whether to open the order that a link brings: it comes where there is one. */

import {html, type TemplateResult} from 'lit';
import {define} from '../core/define.ts';
import {VezneIncoming} from '../transfer/handoff/vezne-incoming.ts';

/** What an element shows that was opened by a link. */
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

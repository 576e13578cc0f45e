/** A lazy bundle: the question whether to open the order of a hand-off link, loaded when a link opened the page. */

import {html, type TemplateResult} from 'lit';
import {define} from '../core/define.ts';
import {VezneIncoming} from '../transfer/handoff/vezne-incoming.ts';

/** The question, in place of the content of the host element. */
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

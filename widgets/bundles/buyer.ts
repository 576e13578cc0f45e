/** A lazy bundle: the form that asks who buys. Loaded when an offer or a session asks for it. */

import {html, type TemplateResult} from 'lit';
import {define} from '../core/define.ts';
import {VezneBuyer} from '../transfer/buyer/vezne-buyer.ts';
import type {Question} from '../transfer/purchase/question.ts';

/** Renders the form in its host. */
export function ask(question: Question): TemplateResult {
  return html`<vezne-buyer lang=${question.host.locale} exportparts="field,problem,button" .question=${question}></vezne-buyer>`;
}

define(VezneBuyer);

/** A lazy bundle: the human check, loaded when the Worker requires it. */

import {html, type TemplateResult} from 'lit';
import {define} from '../core/define.ts';
import type {Question} from '../transfer/purchase/question.ts';
import {VezneHumanCheck} from '../transfer/purchase/vezne-human-check.ts';

export {TurnstileCheck} from '../core/turnstile.ts';

/** Renders the element that asks for the check, and the slot in which the check appears. */
export function ask({purchase, problem, retry, assurance}: Question): TemplateResult {
  return html`<vezne-human-check .parameters=${purchase.session.value?.human_check} .problem=${problem} .retry=${retry} .assurance=${assurance}></vezne-human-check>
    <slot name="human-check"></slot>`;
}

define(VezneHumanCheck);

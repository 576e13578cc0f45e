import {html, nothing, type TemplateResult} from 'lit';
import type {Locale} from '../widgets/core/locale.ts';
import {frameTexts} from './locales/frame.ts';
import {session} from './session.ts';

/** Lets a person choose one of the services that the key may see. One service needs no choice. */
export function serviceChoice(
  locale: Locale,
  chosen: string,
  onChoose: (service: string) => void,
): TemplateResult | typeof nothing {
  const services = session?.services ?? [];
  if (services.length < 2) return nothing;
  const onChange = (event: Event) => onChoose((event.target as HTMLSelectElement).value);
  return html`<label class="row"
    >${frameTexts[locale].service}
    <select @change=${onChange}>
      ${services.map((each) => html`<option value=${each} ?selected=${each === chosen}>${each}</option>`)}
    </select>
  </label>`;
}

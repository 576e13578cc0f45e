import {html, nothing, type TemplateResult} from 'lit';
import type {Locale} from '../../core/locale.ts';
import type {PinEntryMessages} from '../../locales/pin-entry.ts';
import {pinSubscribeMessages} from '../../locales/pin-subscribe.ts';
import {formatDuration} from '../duration.ts';
import type {Enrollment} from '../enrollment.ts';

/** The button that requests another PIN, or the time until another PIN can be requested. */
export function resendButton(
  {isPinOver, resendInMs, busyWith}: Enrollment,
  t: PinEntryMessages,
  locale: Locale,
  onResend: () => void,
): TemplateResult {
  const wait = resendInMs > 0 && t.resendIn(formatDuration(resendInMs, locale));
  if (wait && !isPinOver) return html`<p class="muted resend">${wait}</p>`;
  if (wait)
    return html`<button type="button" class="button" part="button" aria-disabled="true">${t.resend}</button>
      <p class="resend muted">${wait}</p>`;
  return html`<button
    id="resend"
    type="button"
    class=${isPinOver ? 'button' : 'button soft'}
    part="button"
    aria-busy=${busyWith === 'pin' || nothing}
    aria-disabled=${busyWith ? 'true' : nothing}
    @click=${onResend}
  >
    ${busyWith === 'pin' ? pinSubscribeMessages[locale].sending : t.resend}
  </button>`;
}

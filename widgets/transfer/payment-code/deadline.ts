import {html, nothing, type ReactiveController, type TemplateResult} from 'lit';
import {formatTime} from '../../core/format-time.ts';
import type {Locale} from '../../core/locale.ts';
import type {VezneElement} from '../../core/vezne-element.ts';
import type {PaymentMessages} from '../../locales/payment.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** Eleven days. A browser's timer with a delay of 25 days or more would end immediately. */
const MAX_DELAY_MS = 1e9;

/**
 * Shows until when the shopper has to pay, and in the last hour also a countdown. If the device's clock is wrong, the
 * countdown may be wrong, but the time beside the countdown is right.
 */
export class Deadline implements ReactiveController {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly host: VezneElement<unknown>,
    /** The deadline in ISO 8601. */
    readonly until: () => string | undefined,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    this.hostDisconnected();
    const leftMs = this.#leftMs;
    if (!this.#text || !(leftMs > 0)) return;
    // The timer starts the countdown in the last hour, even on a page that was opened days before the deadline.
    const delayMs = Math.min(Math.max(leftMs - HOUR_MS, SECOND_MS), MAX_DELAY_MS);
    this.#timer = setTimeout(() => this.#onTick(), delayMs);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }

  /** @param until - The deadline in ISO 8601. */
  render(until: string, t: PaymentMessages, locale: Locale): TemplateResult {
    const leftMs = this.#leftMs;
    const isSoon = leftMs > 0 && leftMs <= HOUR_MS;
    const warning = this.warning(t);
    // The sentence is in the place of the date, so that nothing moves.
    return html`<p class=${warning ? 'until last' : 'until'}>
      ${warning || html`${t.payUntil} <time datetime=${until}>${formatTime(until, locale, 'deadline')}</time>`}
      ${isSoon ? html`<span class="left">${t.payWithin} <span role="timer">${formatCountdown(leftMs)}</span></span>` : nothing}
    </p>`;
  }

  /** What the shopper has to know in the last minute; before and afterwards empty. */
  warning(t: PaymentMessages): string {
    const leftMs = this.#leftMs;
    return leftMs > 0 && leftMs <= MINUTE_MS ? t.lastMinute : '';
  }

  /** Renders the host only if the shopper sees the text, which may be in closed instructions or in a hidden tab. */
  #onTick(): void {
    const isShown = !document.hidden && (this.#text?.checkVisibility?.() ?? true);
    if (isShown) this.host.requestUpdate();
    else this.#timer = setTimeout(() => this.#onTick(), SECOND_MS);
  }

  /** The rendered text. It is missing after the payment is settled. */
  get #text(): Element | null | undefined {
    return this.host.find('.until');
  }

  get #leftMs(): number {
    return Date.parse(this.until() ?? '') - Date.now();
  }
}

/** `59:08` */
function formatCountdown(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

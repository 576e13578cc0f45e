import {html, nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult} from 'lit';
import {INTL_LOCALES, type Locale} from '../../core/locale.ts';
import type {PaymentMessages} from '../../locales/payment.ts';

const HOUR_MS = 3_600_000;

/** Shows until when the shopper has to pay. In the last hour this is a countdown, before that a date and time. */
export class Deadline implements ReactiveController {
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly host: ReactiveControllerHost,
    /** The deadline in ISO 8601. */
    readonly until: () => string | undefined,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    this.hostDisconnected();
    const leftMs = this.#leftMs;
    // The countdown begins while the page is open, also in a page that was opened days before.
    if (leftMs > 0 && leftMs < HOUR_MS) this.#timer = setTimeout(() => this.host.requestUpdate(), 1_000);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }

  /** The text; empty if the deadline is not known. A wrong clock may show a wrong countdown, but never a wrong time. */
  render(t: PaymentMessages, locale: Locale): TemplateResult | typeof nothing {
    const until = this.until();
    if (!until) return nothing;
    const leftMs = this.#leftMs;
    const isSoon = leftMs > 0 && leftMs < HOUR_MS;
    return html`<p class="until">
      ${isSoon ? t.payWithin : t.payUntil}
      <time datetime=${until} role=${isSoon ? 'timer' : nothing}>${isSoon ? formatCountdown(leftMs) : formatDeadline(until, locale)}</time>
    </p>`;
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

/** `25 Kasım Çarşamba 09:31`, in Turkish time. */
function formatDeadline(until: string, locale: Locale): string {
  return new Intl.DateTimeFormat(INTL_LOCALES[locale], {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'Europe/Istanbul',
  }).format(new Date(until));
}

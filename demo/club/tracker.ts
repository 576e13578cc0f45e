/** A page with its own consent banner and its own buttons. The tracker works with both. */

import {openCopyButtons} from '../copy-button.ts';
import {pollWhileVisible, type SandboxActivity} from '../sandbox-client.ts';
import {formatTime, openPhoneAndFunnel, sandboxOf} from './phone-and-funnel.ts';

declare global {
  interface Window {
    vezne?: {consent(): void; consented?: boolean};
  }
}

openPhoneAndFunnel();
openCopyButtons();

const CONSENT_STORAGE_KEY = 'fener counting';

const banner = document.querySelector('#consent') as HTMLElement;
const savedAnswer = savedConsent();
// If the shopper agreed on an earlier visit, the page removes the `consent` attribute. After an answer, whether consent
// or refusal, the page does not ask again.
if (savedAnswer === 'yes') document.querySelector('vezne-activity')?.removeAttribute('consent');
banner.hidden = savedAnswer !== null;

document.querySelector('#allow')?.addEventListener('click', () => {
  // If the tracker is not loaded yet, this object stores the consent until the tracker reads it.
  window.vezne ??= {
    consent() {
      this.consented = true;
    },
  };
  window.vezne.consent();
  saveConsent('yes');
});
document.querySelector('#refuse')?.addEventListener('click', () => saveConsent('no'));

function saveConsent(given: 'yes' | 'no'): void {
  banner.hidden = true;
  try {
    localStorage.setItem(CONSENT_STORAGE_KEY, given);
  } catch {
    // Without storage, the page asks again on the next visit.
  }
}

function savedConsent(): string | null {
  try {
    return localStorage.getItem(CONSENT_STORAGE_KEY);
  } catch {
    return null;
  }
}

/** The list of the newest activities that the platform received, newest first. */
const log = document.querySelector('.log') as HTMLElement;
let drawn = '';

void pollWhileVisible(async () => {
  const activities = await sandboxOf(log).activities(6);
  const next = JSON.stringify(activities);
  if (next === drawn) return;
  drawn = next;
  (log.querySelector('.empty') as HTMLElement).hidden = activities.length > 0;
  (log.querySelector('.messages') as HTMLElement).replaceChildren(...activities.map(logEntry));
})();

function logEntry({type, at}: SandboxActivity): HTMLElement {
  const item = document.createElement('li');
  const time = document.createElement('small');
  time.textContent = formatTime(at);
  item.append(time, ` ${log.dataset[type] ?? type}`);
  return item;
}

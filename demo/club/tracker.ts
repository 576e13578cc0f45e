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
const VISITOR_STORAGE_KEY = 'fener visitor';
/** How long the tracker's first request usually takes. */
const DELIVERY_MS = 400;

type Answer = 'none' | 'yes' | 'no';

const banner = document.querySelector('#consent') as HTMLElement;
/** The list of the newest activities that the platform received, newest first. */
const log = document.querySelector('.log') as HTMLElement;
/** The newest activity of this visitor. On a phone, the list is below the screen. */
const received = document.querySelector('#received') as HTMLElement;
let answer = savedAnswer();
/** The tracking id of this visitor's activities; empty if nothing was counted in this tab. */
let visitor = useStorage(() => sessionStorage.getItem(VISITOR_STORAGE_KEY)) ?? '';
let drawn = '';

const refreshLog = pollWhileVisible(async () => {
  const activities = await sandboxOf(log).activities(6);
  const next = JSON.stringify([activities, visitor, answer]);
  if (next === drawn) return;
  drawn = next;
  (log.querySelector('.empty') as HTMLElement).hidden = activities.length > 0;
  (log.querySelector('#log-refused') as HTMLElement).hidden =
    answer !== 'no' || activities.length === 0 || activities.some(isOwn);
  (log.querySelector('.messages') as HTMLElement).replaceChildren(...activities.map(logEntry));
  const own = answer === 'yes' && activities.find(isOwn);
  received.textContent = own ? `${received.dataset['label']} ${formatTime(own.at)} ${labelOf(own)}` : '';
});

document.addEventListener('vezne-activity', (event) => {
  visitor = (event as Event & {readonly trackingId: string}).trackingId;
  useStorage(() => sessionStorage.setItem(VISITOR_STORAGE_KEY, visitor));
  setTimeout(() => void refreshLog(), DELIVERY_MS);
});
// If the shopper agreed on an earlier visit, the page removes the `consent` attribute.
if (answer === 'yes') document.querySelector('vezne-activity')?.removeAttribute('consent');
showAnswer();
void refreshLog();

document.querySelector('#allow')?.addEventListener('click', () => {
  // If the tracker is not loaded yet, this object stores the consent until the tracker reads it.
  window.vezne ??= {
    consent() {
      this.consented = true;
    },
  };
  window.vezne.consent();
  setAnswer('yes');
});
document.querySelector('#refuse')?.addEventListener('click', () => setAnswer('no'));
document.querySelector('#reconsider')?.addEventListener('click', () => setAnswer('none'));
document.querySelector('#withdraw')?.addEventListener('click', () => {
  setAnswer('no');
  // The tracker keeps a consent until the page is loaded again.
  location.reload();
});

function setAnswer(given: Answer): void {
  answer = given;
  // Without storage, the page asks again on the next visit.
  useStorage(() => localStorage.setItem(CONSENT_STORAGE_KEY, given));
  showAnswer();
  // The pressed button is hidden now, so the focus moves to the button that replaces it.
  banner.querySelector<HTMLElement>(`[data-answer=${given}] button`)?.focus();
  void refreshLog();
}

/** Shows the question, or the shopper's answer with a button to change it. */
function showAnswer(): void {
  for (const part of banner.querySelectorAll<HTMLElement>('[data-answer]')) {
    part.hidden = part.dataset['answer'] !== answer;
  }
}

function savedAnswer(): Answer {
  const saved = useStorage(() => localStorage.getItem(CONSENT_STORAGE_KEY));
  return saved === 'yes' || saved === 'no' ? saved : 'none';
}

/** Returns undefined if storage is blocked. */
function useStorage<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}

function labelOf({type}: SandboxActivity): string {
  return log.dataset[type] ?? type;
}

function isOwn({tracking_id: id}: SandboxActivity): boolean {
  return id === visitor;
}

function logEntry(activity: SandboxActivity): HTMLElement {
  const item = document.createElement('li');
  const time = document.createElement('small');
  time.textContent = formatTime(activity.at);
  item.append(time, ` ${labelOf(activity)}`);
  if (isOwn(activity)) {
    const own = document.createElement('span');
    own.className = 'badge own';
    own.textContent = log.dataset['own'] ?? '';
    item.append(' ', own);
  }
  return item;
}

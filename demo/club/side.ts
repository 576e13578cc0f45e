/** What stands beside a landing page: the phone with its SMS, and the funnel. A merchant needs none of this. */

import {SandboxClient} from '../sandbox-client.ts';
import {Tabs} from '../tabs.ts';
import {Funnel} from './funnel.ts';
import {Phone} from './phone-and-funnel.ts';

/** Opens whatever of it the page has. */
export function openSide(): void {
  const bar = document.querySelector<HTMLElement>('.tabs');
  const tabs = bar && new Tabs(bar);
  const phone = document.querySelector<HTMLElement>('.phone');
  if (phone) void new Phone(phone, sandboxOf(phone), () => tabs?.notify('side')).refresh();
  const funnel = document.querySelector<HTMLElement>('.funnel');
  if (funnel) void new Funnel(funnel, sandboxOf(funnel)).refresh();
}

export function sandboxOf(part: HTMLElement): SandboxClient {
  return new SandboxClient(part.dataset['sandbox'] ?? '');
}

/** Entry of the landing page: by PIN, or by one click for a visitor whose number the mobile network recognizes. */

import {keepVariant} from '../variant.ts';
import {watchJoined} from './joined.ts';
import {openNetwork} from './network.ts';
import {openPhone} from './phone.ts';

const query = new URLSearchParams(location.search);
const isNetwork = query.get('visit') === 'network' || query.has('number_token');
keepVariant(isNetwork ? 'network' : 'sms');

if (query.get('offer') === 'trial') {
  for (const element of document.querySelectorAll('[offer]')) element.setAttribute('offer', 'trial');
  const otherPlan = document.querySelector<HTMLAnchorElement>('#other-plan');
  if (otherPlan) {
    otherPlan.search = '';
    otherPlan.textContent = otherPlan.dataset['trial'] ?? '';
  }
}

openPhone();
watchJoined();
if (isNetwork) openNetwork();

/** A file that loads when the Worker requires the human check. */

import type {HumanCheck} from '../../worker/contract/browser/answers.ts';
import {Problem} from '../core/problem.ts';
import {TurnstileCheck} from '../core/turnstile.ts';
import type {VezneElement} from '../core/vezne-element.ts';

/**
 * Shows the check in the element whose request needs it.
 * @param shown - The check that the page shows already. There is only one.
 * @throws {Problem} If the check could not be shown.
 */
export async function showCheck(
  host: VezneElement<unknown>,
  parameters: HumanCheck,
  shown: TurnstileCheck | undefined,
): Promise<TurnstileCheck> {
  const isShown = shown?.host === host;
  const check = isShown ? shown : new TurnstileCheck(host);
  if (!isShown) {
    shown?.remove();
    host.addController({hostDisconnected: () => check.remove()});
  }
  const messages = await check.show(parameters, host.locale);
  if (messages) throw new Problem('human_check_failed', true, 0, {nextStep: 'none', messages});
  return check;
}

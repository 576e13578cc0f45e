/** Checks every state of every page with axe in one language, and saves screenshots. `npm run looks` runs this. */

import {describe, expect, test} from 'vitest';
import {findViolations, PHONE} from './accessibility-check.ts';
import {useChromium} from './chromium.ts';
import {type Language, openState} from './page-actions.ts';
import {PAGE_STATES} from './page-states.ts';

export function checkLooks(language: Language): void {
  const openProfile = useChromium({viewport: PHONE});
  describe(language, () => {
    test.each(Object.entries(PAGE_STATES))('%s is accessible', async (_, state) => {
      const page = await (await openProfile(state.options)).newPage();
      await openState(page, state, language);
      expect(await findViolations(page)).toEqual([]);
    });
  });
}

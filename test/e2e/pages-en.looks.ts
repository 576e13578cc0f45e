/** Checks the pages' states in English. Each language has its own file, so that both are checked at the same time. */

import {checkLooks} from './support/check-looks.ts';

checkLooks('en');

/** Checks the pages' states in Turkish. The two languages have two files, so that they are checked at the same time. */

import {checkLooks} from './support/check-looks.ts';

checkLooks('tr');

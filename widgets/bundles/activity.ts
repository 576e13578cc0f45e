/** The entry of the tracker, for pages with the script tag. */

import {defineActivity} from '../activity/vezne-activity.ts';
import {scriptTag} from '../core/script-tag.ts';

defineActivity(scriptTag()?.api ?? '');

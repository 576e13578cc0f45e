/** The tracker beside other elements. */

import {defineActivity} from '../activity/vezne-activity.ts';
import {scriptTag} from '../core/script-tag.ts';

defineActivity(scriptTag()?.api ?? '');

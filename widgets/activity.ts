/** The tracker alone, for pages without other elements: `<script type="module" src="…/activity.js"></script>`. */

import {defineActivity} from './activity/vezne-activity.ts';

/** The folder of the Worker, as seen from the file: a pinned file is two folders below it. */
declare const __VEZNE_ROOT__: '.' | '../../';

defineActivity(new URL(__VEZNE_ROOT__, import.meta.url).href);

/** The tracker alone, for pages without other elements: `<script type="module" src="…/activity.js"></script>`. */

import {defineActivity} from './activity/vezne-activity.ts';

const SCRIPT_URL = import.meta.url;

defineActivity(new URL('.', SCRIPT_URL).href);

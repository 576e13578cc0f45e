/** The script of every page: the elements, and what `scripts/page-libraries.mjs` calls. */

import './answers.js';
import 'vezne/elements';

export {tryNavigation} from './navigation.js';
export {tryRecorder} from './recorders.js';

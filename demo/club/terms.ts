/** Entry of the page with the terms of the club. */

import '../demo-bar.ts';

/**
 * Imports the modules that the Worker imports lazily, because the test runner cannot import a module for the first time
 * inside a handler.
 */

import '../../../worker/platform/operations/index.ts';
import '../../../worker/routes/merchant/api.ts';
import '../../../worker/routes/merchant/doctor.ts';
import '../../../worker/routes/page-scripts.ts';

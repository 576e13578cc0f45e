/**
 * Imports the modules that the Worker imports lazily: inside a handler the test runner cannot import a module for the
 * first time.
 */

import '../../../worker/platform/operations/index.ts';
import '../../../worker/routes/merchant/api.ts';
import '../../../worker/routes/merchant/doctor.ts';

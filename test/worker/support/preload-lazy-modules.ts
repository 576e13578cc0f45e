/**
 * Imports the modules that the Worker imports lazily, because the test runner cannot import a module for the first time
 * inside a handler.
 */

import '../../../worker/contract/merchant/endpoints.ts';
import '../../../worker/platform/operations/index.ts';

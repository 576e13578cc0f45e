/** What the Worker imports when it is first asked for. Inside a handler the test runner cannot import what nobody has imported before. */

import '../../../worker/platform/operations/index.ts';
import '../../../worker/routes/merchant/api.ts';
import '../../../worker/routes/merchant/doctor.ts';

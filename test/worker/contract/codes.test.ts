import {expect, test} from 'vitest';
import {ERROR_KINDS} from '../../../worker/contract/codes.ts';

test('every error code has an HTTP status and a title of one sentence', () => {
  for (const {status, title} of Object.values(ERROR_KINDS)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThanOrEqual(504);
    expect(title).toMatch(/^[A-Z].*\.$/);
  }
});

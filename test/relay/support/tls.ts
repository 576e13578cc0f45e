/** The files of a certificate for `localhost` and of its key. */

import {repoPath} from '../../../scripts/lib/repo.mjs';

export const tls = {
  certificate: repoPath('test', 'relay', 'tls', 'certificate.pem'),
  key: repoPath('test', 'relay', 'tls', 'key.pem'),
};

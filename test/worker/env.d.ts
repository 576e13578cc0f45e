import '../support/sandbox-addresses.ts';
import '../support/webhook-inbox.ts';

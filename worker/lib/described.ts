/** `DESCRIBED` guards what the Worker never reads. A module that uses it imports this one. */

/**
 * Guards what only documents, generators and commands read. wrangler.toml defines it as false for the Worker's bundle, so
 * the bundler drops what it guards; everywhere else it is true. The Worker uses only types of what it guards
 * (docs/decisions/merchant-api.md).
 */
declare const DESCRIBED: true;

if (typeof DESCRIBED === 'undefined') Object.assign(globalThis, {DESCRIBED: true});

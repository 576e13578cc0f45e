/**
 * Tests check answers and examples against the contract. The plugin for tests sets what wrangler.toml defines for the
 * bundle as globals, so this file sets `DESCRIBED` back before anything loads the contract.
 */

Object.assign(globalThis, {DESCRIBED: true});

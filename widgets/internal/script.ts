/** Under which name of the page the script tag leaves its `Script`. */
export const SCRIPT = Symbol.for('vezne');

/** Sets every attribute of every element with one framework, before and after the elements are defined. */

import {modules} from 'vezne/custom-elements.json';
import {ROUNDS, differences, isBoolean, missedEvents, valuesOf} from '../widgets/support/attribute-table.ts';

/**
 * @typedef {import('../widgets/support/attribute-table.ts').ElementRow} ElementRow
 * @typedef {import('../widgets/support/attribute-table.ts').Values} Values
 *
 * @typedef {object} Mounted An element that a framework has rendered.
 * @property {(values: Values) => void | Promise<void>} set Renders it again with these values.
 * @property {() => void} unmount
 *
 * @typedef {(container: HTMLElement, row: ElementRow, values: Values, onEvent: (event: Event) => void) =>
 *   Mounted | Promise<Mounted>} Mount Renders the element with these values, and with a listener for each of its events.
 */

/** @type {ElementRow[]} */
export const ELEMENTS = modules.flatMap(({declarations}) => declarations.filter(({tagName}) => tagName));

/** The address has no Worker, so each element shows a notice. */
export const API = `${location.origin}/no-worker`;

/** What frameworks and elements do later happens within a task. */
export const settled = () => new Promise((resolve) => setTimeout(resolve));

/** The properties of each element by the names of its attributes, as templates need them. @param {ElementRow} row */
export const booleansOf = ({attributes}) => attributes.filter(isBoolean).map(({name}) => name);

/**
 * Whether the frameworks have set the property: they know it if it has the name of the attribute, and if the element is
 * defined.
 * @param {string} when
 */
const isByProperty = (when) => (/** @type {string} */ name) => when === 'after' && !name.includes('-');

/** @param {Mount} mount @returns {Promise<string[]>} What is not as it must be. */
export async function tryFramework(mount) {
  /** @type {string[]} */
  const found = [];

  /** @param {ElementRow} row @param {0 | 1} round */
  const start = async (row, round) => {
    const form = document.createElement('form');
    document.body.append(form);
    const values = valuesOf(row, round, API);
    /** @type {Event[]} */
    const heard = [];
    const mounted = await mount(form, row, values, (event) => void heard.push(event));
    return {row, round, form, heard, mounted};
  };

  /** @param {Awaited<ReturnType<typeof start>>} started @param {string} when */
  const check = async ({row, round, form, heard, mounted}, when) => {
    const element = form.querySelector(row.tagName);
    if (!element) return void found.push(`${when} it is defined: nothing is left of ${row.tagName}`);
    for (const each of ROUNDS.slice(round)) {
      const values = valuesOf(row, each, API);
      if (each !== round) await mounted.set(values);
      await settled();
      const isSame = form.querySelector(row.tagName) === element;
      const problems = isSame ? differences(element, row, values, isByProperty(when)) : ['the framework replaced it'];
      found.push(...problems.map((problem) => `${when} it is defined, round ${each}: ${problem}`));
    }
    found.push(...missedEvents(element, row, heard).map((problem) => `${when} it is defined: ${problem}`));
    mounted.unmount();
    form.remove();
  };

  const early = [];
  for (const row of ELEMENTS) early.push(await start(row, 0), await start(row, 1));
  await settled();
  await import('vezne/elements');
  await settled();
  for (const each of early) await check(each, 'before');
  for (const row of ELEMENTS) await check(await start(row, 0), 'after');
  return found;
}

/** Makes the result known to the command, which waits for it. @param {() => Promise<string[]>} run */
export function report(run) {
  const errors = [];
  addEventListener('error', ({message}) => errors.push(message));
  addEventListener('unhandledrejection', ({reason}) => errors.push(String(reason)));
  globalThis.result = run().then(
    (found) => [...found, ...errors],
    (error) => [String(error.stack), ...errors],
  );
}

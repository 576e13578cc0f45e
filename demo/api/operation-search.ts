/** The search field of the API page. It leaves only the operations that contain every word of the search. */

import {matchesSearch, type Operation} from './document.ts';
import {messages} from './messages.ts';

export class OperationSearch {
  readonly #input: HTMLInputElement;
  readonly #result: HTMLElement;
  #operations: readonly Operation[] = [];

  /** @param result - Says how many operations were found. */
  constructor(input: HTMLInputElement, result: HTMLElement) {
    this.#input = input;
    this.#result = result;
    input.addEventListener('input', () => this.#apply());
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' || event.key === 'ArrowDown') this.#focusFirst(event);
      if (event.key === 'Escape') this.clear();
    });
  }

  /** Sets the operations whose cards the page shows. */
  open(operations: readonly Operation[]): void {
    this.#operations = operations;
    this.#apply();
  }

  /** Shows all operations again. */
  clear(): void {
    this.#input.value = '';
    this.#apply();
  }

  #apply(): void {
    const search = this.#input.value.trim();
    let found = 0;
    for (const operation of this.#operations) {
      const isFound = matchesSearch(operation, search);
      if (isFound) found += 1;
      const card = document.getElementById(operation.id);
      if (card) card.hidden = !isFound;
    }
    for (const section of document.querySelectorAll<HTMLElement>('#api section')) {
      section.hidden = !section.querySelector('.operation:not([hidden])');
      const heading = section.getAttribute('aria-labelledby') ?? '';
      const item = document.querySelector<HTMLElement>(`#contents li:has([href="#${CSS.escape(heading)}"])`);
      if (item) item.hidden = section.hidden;
    }
    // The introduction would stand between the search and its results.
    for (const part of document.querySelectorAll<HTMLElement>('.introduction')) part.hidden = search !== '';
    this.#result.textContent = search === '' ? '' : messages.found(found);
  }

  #focusFirst(event: Event): void {
    const first = document.querySelector<HTMLElement>('.operation:not([hidden]) > summary');
    if (!first) return;
    event.preventDefault();
    first.focus();
  }
}

/** A page of what is searched. */
interface Page {
  readonly items: readonly unknown[];
  /** Asks for the next page. */
  readonly next_cursor: string | null;
  /** Whether there is a next page already, where `next_cursor` alone does not say so. */
  readonly more?: boolean;
}

/**
 * A search that is asked when it is read, in one of three ways:
 *
 * ```ts
 * for await (const item of search) …             // every item to the end, each once
 * for await (const page of search.pages()) …     // page by page, with `total` and `next_cursor`
 * const {items, next_cursor} = await search;     // one page
 * ```
 *
 * Each way begins anew, and each page is a call of its own with its own time and retries. An `async` function that
 * returns a search returns its first page, as awaiting does.
 */
export class Search<P extends Page> implements AsyncIterable<P['items'][number]>, PromiseLike<P> {
  readonly #fetchPage: (cursor: string | undefined) => Promise<P>;

  /** @param ask for the page of a cursor, or for the first one. */
  constructor(ask: (cursor: string | undefined) => Promise<P>) {
    this.#fetchPage = ask;
  }

  /** Asks for the first page, or that of the `cursor` that was given. */
  // oxlint-disable-next-line unicorn/no-thenable -- Awaiting a search is asking for its first page.
  then<A = P, B = never>(
    onFulfilled?: ((page: P) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#fetchPage(undefined).then(onFulfilled, onRejected);
  }

  /** Page by page, to the last one. */
  async *pages(): AsyncGenerator<P, void, undefined> {
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: P = await this.#fetchPage(cursor);
      yield page;
      // One that leads to itself leads nowhere.
      cursor = page.more === false || page.next_cursor === cursor ? null : page.next_cursor;
    }
  }

  /** Item by item. Pages overlap when something is booked between them: what has been seen is left out, by its `id`. */
  async *[Symbol.asyncIterator](): AsyncGenerator<P['items'][number], void, undefined> {
    const seen = new Set<unknown>();
    for await (const {items} of this.pages()) {
      for (const item of items) {
        const {id} = item as {readonly id?: unknown};
        if (id !== undefined && seen.has(id)) continue;
        seen.add(id);
        yield item as Awaited<P['items'][number]>;
      }
    }
  }
}

/** Reads the rows of a CSV file (RFC 4180) while it arrives. */

/** The cells of a row by the names of the first row. */
export type CsvRow = Readonly<Record<string, string>>;

export class CsvRows {
  readonly #decoder = new TextDecoder();
  #names: readonly string[] | undefined;
  #cells: string[] = [];
  #cell = '';
  #isQuoted = false;
  /** Whether the last character was a quotation mark in a quoted cell: it ends the cell, unless another one follows. */
  #wasQuote = false;

  constructor(readonly onRow: (row: CsvRow) => void) {}

  /** @param piece - The next bytes of the file. */
  add(piece: Uint8Array): void {
    for (const character of this.#decoder.decode(piece, {stream: true})) this.#add(character);
  }

  /** The last row may end without a line break. */
  end(): void {
    if (this.#cell !== '' || this.#cells.length > 0) this.#endRow();
  }

  #add(character: string): void {
    if (this.#isQuoted && !this.#wasQuote) {
      if (character === '"') this.#wasQuote = true;
      else this.#cell += character;
      return;
    }
    if (character === '"') {
      if (this.#wasQuote) this.#cell += '"';
      this.#isQuoted = true;
      this.#wasQuote = false;
      return;
    }
    this.#isQuoted = false;
    this.#wasQuote = false;
    if (character === ',') this.#endCell();
    else if (character === '\n') this.#endRow();
    else if (character !== '\r') this.#cell += character;
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
  }

  #endRow(): void {
    this.#endCell();
    const cells = this.#cells;
    this.#cells = [];
    if (this.#names) {
      const names = this.#names;
      this.onRow(Object.fromEntries(cells.map((cell, index) => [names[index] ?? '', cell])));
    } else this.#names = cells;
  }
}

interface Cursor {
  row: number;
  column: number;
}

/**
 * The screen of a terminal after the bytes of a program: the sequences that this repository sends, as xterm carries
 * them out. Every character takes one column. An unknown sequence throws, because a screen that is silently wrong would
 * prove nothing.
 */
export class TerminalScreen {
  readonly #cursor: Cursor = { row: 0, column: 0 };
  #columns: number;
  #rows: number;
  #lines: string[][] = [];
  #rest = '';
  /** The lines that have left the screen at the top. */
  readonly scrolledOff: string[] = [];
  isCursorVisible = true;
  isAlternate = false;

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.#rows = rows;
    this.resize(columns, rows);
  }

  /** The rows of the screen without trailing blanks. */
  get lines(): readonly string[] {
    return this.#lines.map(textOf);
  }

  /** The same as one text, without empty rows at the end. */
  get text(): string {
    return this.lines.join('\n').trimEnd();
  }

  /** Counted from 0. */
  get cursor(): Readonly<Cursor> {
    return { ...this.#cursor };
  }

  /** Lines are cut, not wrapped again; rows that no longer fit leave at the top. */
  resize(columns: number, rows: number): void {
    this.#columns = columns;
    this.#rows = rows;
    this.#lines = this.#lines.map((line) => line.slice(0, columns));
    while (this.#lines.length < rows) this.#lines.push([]);
    while (this.#lines.length > rows) {
      const below = this.#cursor.row < this.#lines.length - 1;
      if (below) this.#lines.pop();
      else this.#scroll();
    }
    this.#cursor.row = Math.min(this.#cursor.row, rows - 1);
    this.#cursor.column = Math.min(this.#cursor.column, columns - 1);
  }

  write(text: string): void {
    let rest = this.#rest + text;
    this.#rest = '';
    while (rest !== '') {
      if (rest.startsWith('\u001b')) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: a sequence begins with one
        const [whole, parameters, final] = /^\u001b\[([\d;?]*)([A-Za-z])/.exec(rest) ?? [];
        // biome-ignore lint/suspicious/noControlCharactersInRegex: as above
        if (whole === undefined && /^\u001b(?:\[[\d;?]*)?$/.test(rest)) {
          this.#rest = rest; // The rest of it comes later.
          return;
        }
        if (whole === undefined) throw new Error(`unknown sequence ${JSON.stringify(rest.slice(0, 10))}`);
        this.#sequence(parameters ?? '', final ?? '');
        rest = rest.slice(whole.length);
      } else {
        const [character = ''] = rest;
        this.#put(character);
        rest = rest.slice(character.length);
      }
    }
  }

  #put(character: string): void {
    const cursor = this.#cursor;
    if (character === '\r') cursor.column = 0;
    else if (character === '\n') this.#lineFeed();
    else if (character === '\b') cursor.column = Math.max(0, cursor.column - 1);
    else {
      if (cursor.column === this.#columns) {
        cursor.column = 0;
        this.#lineFeed();
      }
      const line = this.#line();
      while (line.length < cursor.column) line.push(' ');
      line[cursor.column] = character;
      cursor.column += 1; // After the last column the cursor waits there, and the next character begins the next row.
    }
  }

  #lineFeed(): void {
    if (this.#cursor.row < this.#rows - 1) this.#cursor.row += 1;
    else {
      this.#scroll();
      this.#lines.push([]);
    }
  }

  #scroll(): void {
    const [first] = this.#lines.splice(0, 1);
    if (!this.isAlternate) this.scrolledOff.push(textOf(first ?? []));
    this.#cursor.row = Math.min(this.#cursor.row, this.#rows - 1);
  }

  #line(): string[] {
    const line = this.#lines[this.#cursor.row] ?? [];
    this.#lines[this.#cursor.row] = line;
    return line;
  }

  #sequence(parameters: string, final: string): void {
    const cursor = this.#cursor;
    const [first = 0, second = 0] = parameters.replace('?', '').split(';').map(Number);
    const by = Math.max(1, first);
    switch (`${parameters.startsWith('?') ? '?' : ''}${final}`) {
      case 'm':
        return; // Colours.
      case 'A':
        cursor.row = Math.max(0, cursor.row - by);
        return;
      case 'B':
        cursor.row = Math.min(this.#rows - 1, cursor.row + by);
        return;
      case 'C':
        cursor.column = Math.min(this.#columns - 1, cursor.column + by);
        return;
      case 'D':
        cursor.column = Math.max(0, cursor.column - by);
        return;
      case 'G':
        cursor.column = by - 1;
        return;
      case 'H':
        cursor.row = Math.min(this.#rows, by) - 1;
        cursor.column = Math.min(this.#columns, Math.max(1, second)) - 1;
        return;
      case 'J':
        this.#eraseScreen(first);
        return;
      case 'K':
        this.#eraseLine(first);
        return;
      case '?h':
      case '?l':
        if (first === 25) this.isCursorVisible = final === 'h';
        if (first === 1049) this.isAlternate = final === 'h';
        return;
      default:
        throw new Error(`unknown sequence ESC [ ${parameters} ${final}`);
    }
  }

  #eraseScreen(what: number): void {
    const { row } = this.#cursor;
    if (what === 3) this.scrolledOff.length = 0;
    else if (what === 2) this.#lines = this.#lines.map(() => []);
    else {
      this.#eraseLine(what);
      this.#lines = this.#lines.map((line, index) => ((what === 0 ? index > row : index < row) ? [] : line));
    }
  }

  #eraseLine(what: number): void {
    const column = Math.min(this.#cursor.column, this.#columns - 1);
    const line = this.#line();
    if (what === 0) line.length = Math.min(line.length, column);
    else if (what === 2) line.length = 0;
    else for (let index = 0; index <= column && index < line.length; index += 1) line[index] = ' ';
  }
}

function textOf(line: readonly string[]): string {
  return line.join('').trimEnd();
}

import { counted } from '../../../base/text/counted.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import type { Screen } from '../../../terminal/terminal.ts';
import { rowsOf } from '../../../terminal/wrapText.ts';
import type { DevOptions } from './options.ts';
import { bodyOf, headOf, type Shown } from './roundText.ts';

/** A round that takes longer than this is announced. */
const patientMs = 300;
/** To the first row, and clear everything from there on. */
const clear = '\u001b[H\u001b[0J';

/**
 * The last round on a terminal, drawn over by the next one and again when the window changes. What was on the screen
 * before is scrolled up first, and the cursor stays visible: whatever ends the process, there is nothing to restore.
 */
export class LiveView {
  readonly #screen: Screen;
  readonly #context: CommandContext<DevOptions>;
  readonly #release: () => void;
  #shown: Shown | undefined;
  #foot: string | undefined;
  #hasDrawn = false;
  #drawing: Promise<void> = Promise.resolve();
  #announcement: NodeJS.Timeout | undefined;

  constructor(screen: Screen, context: CommandContext<DevOptions>) {
    this.#screen = screen;
    this.#context = context;
    this.#release = screen.onResize(() => {
      if (this.#hasDrawn) void this.#draw();
    });
  }

  /** A round begins. */
  begin(): void {
    clearTimeout(this.#announcement);
    this.#announcement = setTimeout(() => {
      this.#foot = 'Running and planning the stack …  Ctrl-C ends.';
      void this.#draw();
    }, patientMs);
  }

  async show(shown: Shown): Promise<void> {
    clearTimeout(this.#announcement);
    this.#shown = shown;
    this.#foot = `Watching ${counted(shown.watched, 'file')}. Ctrl-C ends.`;
    await this.#draw();
  }

  /** The last round stays on the screen; the next text begins below it. */
  async close(): Promise<void> {
    clearTimeout(this.#announcement);
    this.#release();
    this.#foot = undefined;
    if (this.#hasDrawn) await this.#draw();
  }

  /** One after the other: the text of a round may have to be waited for. */
  #draw(): Promise<void> {
    this.#drawing = this.#drawing.then(async () => {
      const { columns, rows } = this.#screen.size();
      const foot = this.#foot === undefined ? [] : [this.#context.terminal.palette.faint(this.#foot)];
      const lines = this.#shown === undefined ? [] : await this.#linesOf(this.#shown, columns, rows);
      const scrolled = this.#hasDrawn ? '' : '\n'.repeat(rows);
      this.#hasDrawn = true;
      const end = foot.length === 0 && lines.length > 0 ? '\n' : '';
      const gap = foot.length > 0 && lines.length > 0 ? [''] : [];
      this.#screen.draw(`${scrolled}${clear}${[...lines, ...gap, ...foot].join('\n')}${end}`);
    });
    return this.#drawing;
  }

  /** As many as leave room for the foot. */
  async #linesOf(shown: Shown, columns: number, rows: number): Promise<readonly string[]> {
    const head = headOf(shown, this.#context);
    const room = Math.max(1, rows - 3 - rowsOf(head, columns)); // besides: two empty lines, and the foot
    const height = (lines: readonly string[]) => lines.reduce((sum, line) => sum + rowsOf(line, columns), 0);
    const whole = await bodyOf(shown.round, this.#context, false);
    const body = height(whole) <= room ? whole : await bodyOf(shown.round, this.#context, true);
    const shownLines: string[] = [];
    let used = 0;
    const isCut = height(body) > room;
    for (const line of body) {
      used += rowsOf(line, columns);
      if (isCut && used > room - 1) break;
      shownLines.push(line);
    }
    const more = isCut ? [`… and ${counted(body.length - shownLines.length, 'more line')}`] : [];
    return [head, '', ...shownLines, ...more];
  }
}

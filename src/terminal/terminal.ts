import { makePalette, type Palette, wantsColor } from './palette.ts';
import { rowsOf } from './textWidth.ts';

/** The output of a command: results on standard output, everything else on standard error. */
export interface Terminal {
  /** Prints one or more whole lines; the last line end is added. */
  result(text: string): void;
  /** The same for text that may be longer than the screen: then it is shown in a pager, which is waited for. */
  page(text: string): Promise<void>;
  message(text: string): void;
  /** Unchanged text on standard error, for displays that are overwritten and for annotations. */
  draw(text: string): void;
  /** For results, and for messages. */
  readonly palette: Palette;
  readonly messagePalette: Palette;
  /** Standard error is a terminal, and supports control sequences. */
  readonly live: boolean;
  /** A prompt is possible. */
  readonly canAsk: boolean;
  /** Absent if standard output is not a terminal, or does not support control sequences. */
  readonly screen: Screen | undefined;
  /** Columns for results; infinite if standard output is not a terminal: files are not wrapped. */
  resultColumns(): number;
  /** The size of standard error. Never 0, as some terminals report. */
  size(): { readonly columns: number; readonly rows: number };
}

/** Standard output on a terminal. */
export interface Screen {
  /** Prints without a line end. */
  draw(text: string): void;
  size(): { readonly columns: number; readonly rows: number };
  /** Calls the listener until the returned function is called. */
  onResize(listener: () => void): () => void;
}

interface TerminalOptions {
  /** If undefined, NO_COLOR and FORCE_COLOR decide. */
  readonly color?: boolean | undefined;
  /** If false, long text is printed without a pager. */
  readonly pager?: boolean;
  /** If false, there are no prompts. */
  readonly input?: boolean;
}

/** The streams of this process. */
export function openTerminal({ color, pager = true, input = true }: TerminalOptions): Terminal {
  const { stdin, stdout, stderr, env } = process;
  const palette = (isTerminal: boolean) =>
    makePalette(
      wantsColor({
        flag: color,
        noColor: env['NO_COLOR'],
        forceColor: env['FORCE_COLOR'],
        term: env['TERM'],
        isTerminal,
      }),
    );
  const logged = env['GITHUB_ACTIONS'] === 'true' ? withoutWorkflowCommands : (text: string) => text;
  // In a pipeline no user can leave the pager, even if there is a terminal.
  const isPipeline = env['CI'] !== undefined && env['CI'] !== '' && env['CI'] !== 'false';
  const screen = stdout.isTTY === true && env['TERM'] !== 'dumb' ? screenOf(stdout) : undefined;
  return {
    result: (text) => void stdout.write(`${logged(text)}\n`),
    async page(text) {
      if (!pager || isPipeline || screen === undefined || !(await paged(text, screen)))
        stdout.write(`${logged(text)}\n`);
    },
    message: (text) => void stderr.write(`${logged(text)}\n`),
    draw: (text) => void stderr.write(text),
    palette: palette(stdout.isTTY === true),
    messagePalette: palette(stderr.isTTY === true),
    live: stderr.isTTY === true && env['TERM'] !== 'dumb',
    screen,
    canAsk: input && stdin.isTTY === true && stderr.isTTY === true,
    resultColumns: () => (stdout.isTTY === true ? stdout.columns || 80 : Number.POSITIVE_INFINITY),
    size: () => ({ columns: stderr.columns || 80, rows: stderr.rows || 24 }),
  };
}

/** False if it fits, or there is no pager. */
async function paged(text: string, screen: Screen): Promise<boolean> {
  const { columns, rows } = screen.size();
  if (text.split('\n').reduce((sum, line) => sum + rowsOf(line, columns), 0) < rows) return false;
  const { pagerOf, showInPager } = await import('./pager.ts');
  const command = pagerOf(process.env);
  if (command === undefined) return false;
  return showInPager(command, text, process.env);
}

function screenOf(stream: NodeJS.WriteStream): Screen {
  return {
    draw: (text) => void stream.write(text),
    size: () => ({ columns: stream.columns || 80, rows: stream.rows || 24 }),
    onResize(listener) {
      stream.on('resize', listener);
      return () => void stream.off('resize', listener);
    },
  };
}

/**
 * Text for the log of a GitHub workflow, in which no line is a command: the runner executes lines that begin with `::`,
 * also after blanks, and `##[…]` anywhere. Foreign descriptions and values must not annotate, mask or silence anything.
 */
export function withoutWorkflowCommands(text: string): string {
  return text.replace(/^(\s*):(?=:)/gm, '$1: ').replaceAll('##[', '## [');
}

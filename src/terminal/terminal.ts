import { makePalette, type Palette, wantsColor } from './palette.ts';
import { rowsOf } from './textWidth.ts';

/** Where a command's text goes. Results to standard output, everything else to standard error. */
export interface Terminal {
  /** One or more whole lines; the last line end is added. */
  result(text: string): void;
  /** The same of what may be longer than the screen: there a pager shows it, and is waited for. */
  page(text: string): Promise<void>;
  message(text: string): void;
  /** Standard error as it is, for a display that is drawn over and for annotations. */
  draw(text: string): void;
  /** For results, and for messages. */
  readonly palette: Palette;
  readonly messagePalette: Palette;
  /** A person sees standard error. */
  readonly live: boolean;
  /** A person can be asked. */
  readonly canAsk: boolean;
  /** Where results can be drawn over: absent where nobody sees standard output, or it understands no sequences. */
  readonly screen: Screen | undefined;
  /** Columns for results; infinite where standard output is no terminal: files are not wrapped. */
  resultColumns(): number;
  /** Of standard error. Never 0, as some terminals say. */
  size(): { readonly columns: number; readonly rows: number };
}

/** Standard output as a person sees it. */
export interface Screen {
  /** As it is, without a line end. */
  draw(text: string): void;
  size(): { readonly columns: number; readonly rows: number };
  /** Until the returned function is called. */
  onResize(listener: () => void): () => void;
}

interface TerminalOptions {
  /** Undefined: as NO_COLOR and FORCE_COLOR say. */
  readonly color?: boolean | undefined;
  /** False: long text is printed as it is. */
  readonly pager?: boolean;
  /** False: nobody is asked. */
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
  // Nobody is there to leave the pager, whatever is made of a terminal there.
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

/** False: it fits, or there is no pager. */
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
 * Text for the log of a workflow of GitHub, in which no line is a command: the runner obeys lines that begin with `::`,
 * after blanks too, and `##[…]` anywhere. What others write into descriptions and values must not annotate, mask or
 * silence anything.
 */
export function withoutWorkflowCommands(text: string): string {
  return text.replace(/^(\s*):(?=:)/gm, '$1: ').replaceAll('##[', '## [');
}

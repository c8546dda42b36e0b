import { makePalette } from '../../src/terminal/palette.ts';
import type { Terminal } from '../../src/terminal/terminal.ts';

/** A terminal that prints nothing and cannot ask; `parts` replace what a test observes. */
export function silentTerminal(parts: Partial<Terminal> = {}): Terminal {
  const { result = () => {} } = parts;
  const palette = makePalette(false);
  return {
    result,
    page: async (text) => result(text),
    message: () => {},
    draw: () => {},
    palette,
    messagePalette: palette,
    live: false,
    screen: undefined,
    canAsk: false,
    resultColumns: () => Number.POSITIVE_INFINITY,
    size: () => ({ columns: 80, rows: 24 }),
    ...parts,
  };
}

import picocolors from 'picocolors';

/** Colours by meaning, so that one renderer serves terminals, files and tests. */
export interface Palette {
  readonly add: (text: string) => string;
  readonly change: (text: string) => string;
  readonly remove: (text: string) => string;
  readonly replace: (text: string) => string;
  readonly refuse: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

export function makePalette(enabled: boolean): Palette {
  const { green, yellow, red, magenta, bold, dim } = picocolors.createColors(enabled);
  return {
    add: green,
    change: yellow,
    remove: red,
    replace: magenta,
    refuse: (text) => bold(red(text)),
    strong: bold,
    faint: dim,
  };
}

export interface ColorWish {
  /** `--color`, `--no-color`. */
  readonly flag: boolean | undefined;
  readonly noColor: string | undefined;
  readonly forceColor: string | undefined;
  readonly term: string | undefined;
  readonly isTerminal: boolean;
}

/** The flag takes precedence, then NO_COLOR and FORCE_COLOR (not empty), then whether the output is a terminal. */
export function wantsColor({ flag, noColor, forceColor, term, isTerminal }: ColorWish): boolean {
  if (flag !== undefined) return flag;
  if (noColor !== undefined && noColor !== '') return false;
  if (forceColor !== undefined && forceColor !== '') return forceColor !== '0';
  return isTerminal && term !== 'dumb';
}

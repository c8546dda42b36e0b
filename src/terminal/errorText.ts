import { compact } from '../base/json/present.ts';
import { ToolError } from '../base/toolError.ts';
import type { Palette } from './palette.ts';
import { printableLines } from './printable.ts';

/** `error code: message` and the next step; no stack. */
export function renderToolError(
  { code, message, hint }: { readonly code: string; readonly message: string; readonly hint?: string | undefined },
  palette: Palette,
): string {
  const [first = '', ...rest] = printableLines(message);
  return compact([
    `${palette.refuse('error')} ${palette.strong(code)}: ${first}`,
    ...rest.map((line) => `  ${line.trimStart()}`),
    hint === undefined ? undefined : `  hint: ${printableLines(hint).join(' ')}`,
  ]).join('\n');
}

export interface Versions {
  readonly gantry: string;
  readonly node: string;
}

/** Our own mistake, with the facts needed to find it. */
function renderOwnMistake(error: unknown, versions: Versions, palette: Palette): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [
    `${palette.refuse('error')} this is a mistake in Gantry itself, not in your input:`,
    stack,
    'Please report it with the lines above, the command that you ran, and ' +
      `"gantry ${versions.gantry}, node ${versions.node}".`,
  ].join('\n');
}

export function renderError(error: unknown, versions: Versions, palette: Palette): string {
  return error instanceof ToolError ? renderToolError(error, palette) : renderOwnMistake(error, versions, palette);
}

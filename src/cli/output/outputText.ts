import type { JsonValue } from '../../base/json/json.ts';
import type { OutputValue, StackOutputs } from '../../change/outputs.ts';
import type { Palette } from '../../terminal/palette.ts';
import { printable } from '../../terminal/printable.ts';

interface OutputStyle {
  readonly palette: Palette;
  readonly reveal?: boolean;
}

/** All outputs of a stack as text, one per line. */
export function renderOutputs({ stack, outputs }: Pick<StackOutputs, 'stack' | 'outputs'>, style: OutputStyle): string {
  if (outputs.length === 0) return `The stack ${stack} has no outputs.`;
  return outputLines(outputs, style).join('\n');
}

export function outputLines(
  outputs: readonly OutputValue[],
  { palette, reveal = false }: OutputStyle,
): readonly string[] {
  const width = Math.max(...outputs.map(({ name }) => name.length));
  return outputs.map(({ name, value, sensitive, missing }) => {
    const shown = value === undefined ? palette.faint(`(no value: ${missing ?? ''})`) : textOf(value);
    const hidden = value !== undefined && sensitive && !reveal;
    return `${name.padEnd(width)}  ${hidden ? palette.faint('(sensitive)') : shown}`;
  });
}

/** One value for scripts: a text unchanged, anything else as JSON. */
export function rawOutput({ value = '' }: OutputValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function textOf(value: JsonValue): string {
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}

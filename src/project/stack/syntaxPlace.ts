import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Thrown } from '../../base/thrown.ts';
import type { Position } from '../../manifest/model/manifest.ts';
import { removeTypes } from './removedTypes.ts';

/** Before the message and the frames, which may be long. */
const mostLines = 8;
const mostMs = 5_000;

/**
 * Where a mistake of syntax is; undefined where it is none, or the place is not known. `files`: of the stack, in the order in
 * which they were loaded.
 */
export function syntaxPlace({ name, stack, frames }: Thrown, files: readonly string[]): Position | undefined {
  const said = markedPlace(stack);
  if (said !== undefined) {
    const { place } = said;
    return { file: place.startsWith('file:') ? fileURLToPath(place) : place, line: said.line, column: said.column };
  }
  const isOfModule = name === 'SyntaxError' && /^\s*at .*node:internal\/modules\/esm\//.test(frames);
  return isOfModule ? placeInModules(files) : undefined;
}

/** A syntax error has no frame of its own: it begins with `PLACE:3`; then come lines of code, and marks below it. */
function markedPlace(text: string) {
  const [first = '', ...lines] = text.split('\n', mostLines);
  const [, place = '', line] = /^(file:\/\/.+|\/.+|[A-Za-z]:\\.+|\[stdin\]):(\d+)$/.exec(first) ?? [];
  if (place === '') return undefined;
  const marks = lines.find((each) => /^\s*\^+$/.test(each)) ?? '^';
  return { place, line: Number(line), column: marks.indexOf('^') + 1 };
}

/** Node prints the place of a mistake in an ES module and does not give it to the program. The last file ended the loading. */
function placeInModules(files: readonly string[]): Position | undefined {
  for (const file of files.toReversed().filter((each) => /\.[cm]?[jt]s$/.test(each))) {
    const args = ['--check', '--input-type=module', '-'];
    const { stderr } = spawnSync(process.execPath, args, { input: codeOf(file), encoding: 'utf8', timeout: mostMs });
    const found = markedPlace(stderr ?? '');
    if (found?.place === '[stdin]') return { file, line: found.line, column: found.column };
  }
  return undefined;
}

/** Blanks stand in place of types, so that all else keeps its place. */
function codeOf(file: string): string {
  const text = readFileSync(file, 'utf8');
  return /ts$/.test(file) ? (removeTypes(text) ?? text) : text;
}

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Thrown } from '../../base/thrown.ts';
import type { Position } from '../../manifest/model/manifest.ts';
import { removeTypes } from './removedTypes.ts';

/** Lines before the message and the frames, which may be long. */
const mostLines = 8;
const mostMs = 5_000;

/**
 * The position of a syntax error; undefined for other errors, or if not known. `files`: of the stack, in the order of
 * loading.
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

/** A syntax error has no frame: its text begins with `PLACE:3`, followed by lines of code with marks below. */
function markedPlace(text: string) {
  const [first = '', ...lines] = text.split('\n', mostLines);
  const [, place = '', line] = /^(file:\/\/.+|\/.+|[A-Za-z]:\\.+|\[stdin\]):(\d+)$/.exec(first) ?? [];
  if (place === '') return undefined;
  const marks = lines.find((each) => /^\s*\^+$/.test(each)) ?? '^';
  return { place, line: Number(line), column: marks.indexOf('^') + 1 };
}

/**
 * Node prints the position of an error in an ES module, but does not return it. Starts with the last loaded file, which
 * ended the loading.
 */
function placeInModules(files: readonly string[]): Position | undefined {
  for (const file of files.toReversed().filter((each) => /\.[cm]?[jt]s$/.test(each))) {
    const args = ['--check', '--input-type=module', '-'];
    const { stderr } = spawnSync(process.execPath, args, { input: codeOf(file), encoding: 'utf8', timeout: mostMs });
    const found = markedPlace(stderr ?? '');
    if (found?.place === '[stdin]') return { file, line: found.line, column: found.column };
  }
  return undefined;
}

/** Blanks replace types, so positions stay the same. */
function codeOf(file: string): string {
  const text = readFileSync(file, 'utf8');
  return /ts$/.test(file) ? (removeTypes(text) ?? text) : text;
}

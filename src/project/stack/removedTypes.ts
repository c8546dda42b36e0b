import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, type JsonValue, listAt, stringAt } from '../../base/json/json.ts';
import { privateFolder } from '../files/compileCache.ts';

/**
 * Where the types are in the files of stacks is kept between runs: what removes them takes a third of the time of a
 * stack to start. Nothing of their text is kept, which may hold secrets: only the places, and what Node puts there.
 * Node's own compile cache would keep the text, and tells an edited file by a CRC.
 */

/** A file for each file of a stack. Paths may change all the time, as in a pipeline: then it begins anew. */
const mostKept = 1_000;

/** Text in place of types. Node writes white space there, and now and then punctuation that keeps the meaning of lines. */
const noWords = /^[\s(),;=>]*$/;

/** Numbers stand for so many blanks: place, text, place, text, … */
export type Edits = readonly (number | string)[];

/** Loads what removes types, if it is not loaded yet. Undefined: the text cannot be without them; Node says why. */
export function removeTypes(text: string): string | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => undefined; // that it is experimental
  try {
    return module.stripTypeScriptTypes(text);
  } catch {
    return undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Where a text is another one without its types, which has the same length. Undefined: a text of the stack would be kept. */
export function editsOf(text: string, without: string): Edits | undefined {
  if (text.length !== without.length) return undefined;
  const edits: (number | string)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === without[at]) continue;
    const from = at;
    while (at < text.length && (text[at] !== without[at] || /\s/.test(without.charAt(at)))) at += 1;
    const written = without.slice(from, at);
    if (!noWords.test(written)) return undefined;
    edits.push(from, /[^ ]/.test(written) ? written : written.length);
  }
  return edits;
}

export function withEdits(text: string, edits: readonly JsonValue[]): string {
  let [result, end] = ['', 0];
  for (let index = 0; index < edits.length; index += 2) {
    const [from, by] = [Number(edits[index]), edits[index + 1]];
    result += text.slice(end, from) + (typeof by === 'number' ? ' '.repeat(by) : String(by));
    end = result.length;
  }
  return result + text.slice(end);
}

/** The folder of what is kept for this user; undefined: there is none. */
export function typesFolder(environment: NodeJS.ProcessEnv): string | undefined {
  if (environment['NODE_DISABLE_COMPILE_CACHE'] !== undefined || process.features.typescript !== 'strip') return;
  const compiled = privateFolder(environment, 'compiled');
  return compiled === undefined ? undefined : join(compiled, 'types');
}

export function keepsTypes(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}

/** From here on the modules of the stack are loaded without their types, where these are known. */
export function keepTypes(folder: string): void {
  module.registerHooks({
    load(url, context, next) {
      const format = context.format ?? 'detected';
      if (!/^file:(?!.*\/node_modules\/)/.test(url) || !/^(detected|module-typescript)$/.test(format)) {
        return next(url, context);
      }
      const path = fileURLToPath(url);
      const place = join(folder, hash('sha256', path));
      const idOf = (text: string) => hash('sha256', [process.version, format, text].join('\n'));
      const found = find(place, path, idOf);
      // Of a file that the package says nothing of, Node would remove the types to see whether it is a module.
      const loaded = next(url, found === undefined ? context : { ...context, format: 'module-typescript' });
      if (loaded.format !== 'module-typescript' || loaded.source === undefined) return loaded;
      const text = textOf(loaded.source);
      const source = found?.text === text ? found.source : keep(place, text, idOf(text));
      return source === undefined ? loaded : { ...loaded, format: 'module', source };
    },
  });
}

function textOf(source: module.ModuleSource): string {
  return typeof source === 'string' ? source : new TextDecoder().decode(source);
}

interface Found {
  readonly text: string;
  readonly source: string;
}

/** Of another text, or damaged, it is as if it were not there. */
function find(place: string, path: string, idOf: (text: string) => string): Found | undefined {
  try {
    const kept: unknown = JSON.parse(readFileSync(place, 'utf8'));
    if (!isObject(kept)) return undefined;
    const text = textOf(readFileSync(path));
    if (stringAt(kept, 'of') !== idOf(text)) return undefined;
    const source = withEdits(text, listAt(kept, 'edits'));
    return stringAt(kept, 'gives') === hash('sha256', source) ? { text, source } : undefined;
  } catch {
    return undefined;
  }
}

/** The text without types. Where it cannot be kept, it is made again each time. */
function keep(place: string, text: string, of: string): string | undefined {
  const source = removeTypes(text);
  const edits = source === undefined ? undefined : editsOf(text, source);
  if (source === undefined || edits === undefined) return source;
  try {
    const folder = join(place, '..');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (readdirSync(folder).length >= mostKept) rmSync(folder, { recursive: true, force: true });
    // What is read while it is written is damaged, which is seen.
    writeFileSync(place, JSON.stringify({ of, gives: hash('sha256', source), edits }), { mode: 0o600 });
  } catch {
    // It is a cache.
  }
  return source;
}

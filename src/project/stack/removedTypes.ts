import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, type JsonValue, listAt, stringAt } from '../../base/json/json.ts';
import { privateFolder } from '../files/compileCache.ts';

/**
 * Caches the positions of types in stack files between runs, because stripping them takes a third of a stack's start
 * time. Only positions and Node's replacements are stored, because the text may contain secrets. Node's own compile
 * cache would store the text, and detects edits by a CRC only.
 */

/** Limit of files, one per file of a stack. If paths change all the time, as in a pipeline, the cache is cleared. */
const mostKept = 1_000;

/** The replacement of types: white space, sometimes with punctuation that keeps the meaning of lines. */
const noWords = /^[\s(),;=>]*$/;

/** Pairs of position and text; a number as text means that many blanks. */
export type Edits = readonly (number | string)[];

/**
 * Strips types, loading Node's implementation on first use. Undefined if that is impossible; Node reports the reason.
 */
export function removeTypes(text: string): string | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => undefined; // the warning that it is experimental
  try {
    return module.stripTypeScriptTypes(text);
  } catch {
    return undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** The differences to a text of the same length without types. Undefined if they would contain text of the stack. */
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

/** The cache folder of this user; undefined if there is none. */
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

/** From now on, modules of the stack with cached positions are loaded without types. */
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
      // If the package has no type, Node would strip types to detect a module.
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

/** Ignores an entry that is damaged or for another text. */
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

/** The text without types; if it cannot be cached, it is stripped each time. */
function keep(place: string, text: string, of: string): string | undefined {
  const source = removeTypes(text);
  const edits = source === undefined ? undefined : editsOf(text, source);
  if (source === undefined || edits === undefined) return source;
  try {
    const folder = join(place, '..');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (readdirSync(folder).length >= mostKept) rmSync(folder, { recursive: true, force: true });
    // A concurrent reader sees a damaged entry, and detects that.
    writeFileSync(place, JSON.stringify({ of, gives: hash('sha256', source), edits }), { mode: 0o600 });
  } catch {
    // A missing cache entry is harmless.
  }
  return source;
}

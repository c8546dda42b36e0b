import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mistakesFound } from '../../../constructs/mistakes.ts';
import { userFrame, userFrames } from '../../../constructs/origin.ts';
import { isArray, isObject, objectAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { suggest } from '../../base/text/suggest.ts';
import { memberOf, readThrown, type Thrown } from '../../base/thrown.ts';
import { fileProblem, type LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { MadeBy, ManifestDocument, Position } from '../../manifest/model/manifest.ts';
import { displayPath } from '../files/fileRefusal.ts';
import { problemsOf } from './handOver.ts';
import { errorText } from './parserMessage.ts';
import { syntaxPlace } from './syntaxPlace.ts';

/** Errors thrown by our constructs belong to the calling line. */
const ourFolders = ((): readonly string[] => {
  const here = fileURLToPath(import.meta.url).replaceAll('\\', '/');
  const root = here.slice(0, here.lastIndexOf(here.includes('/src/project/') ? '/src/project/' : '/dist/'));
  return ['src', 'constructs', 'dist'].map((folder) => `${root}/${folder}/`);
})();

function isGantryFile(file: string): boolean {
  const path = file.replaceAll('\\', '/');
  return ourFolders.some((folder) => path.startsWith(folder));
}

const removed = 'Node only removes types, and this is code.';

/** TypeScript syntax beyond types, by Node's name for it. */
const fixes: readonly (readonly [RegExp, string])[] = [
  [/\benum\b/, "Write an object in place of the enum: const Size = { small: 'small' } as const."],
  [/\bparameter property\b/, 'Declare the field, and assign it in the constructor.'],
  [/\bnamespace\b|\bmodule\b/, 'Write a module of its own in place of the namespace.'],
  [/\bimport equals\b/, "Write `import x from '…'` in place of import x = require('…')."],
  [/\bexport assignment\b|\bexport =/, 'Write `export default x` in place of `export = x`.'],
  [/\bangle-bracket\b/, 'Write `value as T` in place of `<T>value`.'],
];

/** Syntax that Node cannot run, and imports of missing exports. */
function syntaxMistake({ code, message }: Thrown): Mistake | undefined {
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') {
    const [, fix = 'Use TypeScript that only needs its types removed.'] =
      fixes.find(([pattern]) => pattern.test(message)) ?? [];
    return { hint: `${fix} ${removed}` };
  }
  const [, module = '', name = ''] =
    /^The requested module '(.*)' does not provide an export named '([\w$]+)'$/.exec(message) ?? [];
  if (name === '') return undefined;
  const hint = `Correct the name; or if it is a type, write \`import { type ${name} }\`.`;
  return { message: `SyntaxError: ${module} exports no ${name}`, hint };
}

/** The common mistake behind Node's message, if any. `stackFile`: the path of the stack. */
function findMistake(failure: Thrown, stackFile: string): Mistake | undefined {
  return importMistake(failure, stackFile) ?? syntaxMistake(failure) ?? scopeMistake(failure);
}

const ofCommonJs: Readonly<Record<string, string>> = {
  require: "Write `import … from '…'` in place of require(): this file is an ES module.",
  module: 'Write `export default …` in place of module.exports: this file is an ES module.',
  exports: 'Write `export …` in place of exports: this file is an ES module.',
  __dirname: 'Write import.meta.dirname in place of __dirname: this file is an ES module.',
  __filename: 'Write import.meta.filename in place of __filename: this file is an ES module.',
};

/** The use of names that only CommonJS files have. */
function scopeMistake({ name, message }: Thrown): Mistake | undefined {
  const [, word = ''] = /^(\w+) is not defined in ES module scope/.exec(message) ?? [];
  const hint = name === 'ReferenceError' && Object.hasOwn(ofCommonJs, word) ? ofCommonJs[word] : undefined;
  return hint === undefined ? undefined : { message: `ReferenceError: ${word} is not defined`, hint };
}

/** From now on constructs continue after a mistake if possible. */
export function collectMistakes(): void {
  Reflect.set(globalThis, mistakesFound, []);
}

/** The mistakes after which constructs continued. */
export function collectedMistakes(cwd: string): readonly LocatedProblem[] {
  const found: unknown = Reflect.get(globalThis, mistakesFound);
  return isArray(found) ? problemsOf(JSON.parse(JSON.stringify(found))).map(new FolderPlaces(cwd).problem) : [];
}

/**
 * The error of a stack file, at the line of user code that threw it, without the stack trace. `files`: the stack's
 * loaded files.
 */
export function stackFailure(
  error: unknown,
  path: string,
  cwd: string,
  files: readonly string[] = [path],
): readonly LocatedProblem[] {
  const constructProblems = problemsOfConstructs(error);
  if (constructProblems.length > 0) return constructProblems.map(new FolderPlaces(cwd).problem);
  const thrown = readThrown(error);
  const mistake = findMistake(thrown, path);
  const found = mistake?.position ?? syntaxPlace(thrown, files);
  const [first, ...callerFrames] = found === undefined ? userFrames(thrown.frames, isGantryFile) : [found];
  const position = displayPosition(first ?? { file: path, line: 1, column: 1 }, cwd);
  const callers = callerFrames.slice(0, mostCallers).map((place) => displayPosition(place, cwd));
  const { code = '', message } = thrown;
  const hint = memberOf(error, 'hint');
  const problem =
    code.startsWith('stack.') && typeof hint === 'string'
      ? fileProblem(position, code, message, hint)
      : fileProblem(
          position,
          'stack.throws',
          mistake?.message ?? messageOf(thrown),
          mistake?.hint ?? missingFileHint(error, cwd) ?? hintOf(thrown),
        );
  return [callers.length === 0 ? problem : { ...problem, callers }];
}

/** Limit of callers; the innermost ones are the most useful. */
const mostCallers = 3;

/** A stack that ends its process, at the line of the call. Must be called there. */
export function stackExit(code: unknown, path: string, cwd: string): LocatedProblem {
  const place = userFrame(new Error().stack ?? '', isGantryFile) ?? { file: path, line: 1, column: 1 };
  const shownCode = typeof code === 'string' || typeof code === 'number' ? code : '';
  const message = `the stack ended the process (process.exit(${shownCode}))`;
  return fileProblem(
    displayPosition(place, cwd),
    'stack.throws',
    message,
    'Throw an error, or let the stack run to its end.',
  );
}

function displayPosition(place: Position, cwd: string): Position {
  return { ...place, file: displayPath(place.file, cwd) };
}

/** The problems of a `StackError` from our constructs, perhaps from another copy of this package. */
export function problemsOfConstructs(error: unknown): readonly LocatedProblem[] {
  const problems = memberOf(error, 'problems');
  if (!readThrown(error).code?.startsWith('stack.') || !isArray(problems)) return [];
  try {
    return problemsOf(JSON.parse(JSON.stringify(problems)));
  } catch {
    return [];
  }
}

/** The documents that were synthesized despite the error. */
export function documentsOfFailure(error: unknown): readonly ManifestDocument[] {
  const documents = memberOf(error, 'documents');
  return Array.isArray(documents) ? documents : [];
}

function messageOf(thrown: Thrown): string {
  return thrown.isError ? errorText(thrown) : `the stack threw ${thrown.value}`;
}

/** Relative paths start at the folder of the process, not of the stack file. */
function missingFileHint(error: unknown, cwd: string): string | undefined {
  const path = memberOf(error, 'path');
  if (memberOf(error, 'code') !== 'ENOENT' || typeof path !== 'string') return undefined;
  if (isAbsolute(path)) return `There is no ${path}: create it, or correct the path.`;
  const beside = `new URL(${JSON.stringify(`./${path.replace(/^\.\//, '')}`)}, import.meta.url)`;
  return `There is no ${path} in ${cwd}, where the command runs. For a file beside the stack file: ${beside}.`;
}

function hintOf({ code, message }: Thrown): string {
  if (message.startsWith('There is already a Construct with name')) {
    return 'Ids are unique in their scope: choose another id. `name` may be the same in different GVCs.';
  }
  switch (code) {
    case 'ERR_MODULE_NOT_FOUND':
      return 'Install the package, or correct the import (relative imports need their extension).';
    case 'ERR_UNKNOWN_FILE_EXTENSION':
      return 'TypeScript stacks need Node 22.19 or newer.';
    case 'stack.sensitive':
      return 'Build the whole text from plain values first, then mark it: sensitive(text).';
    default:
      return 'Correct the stack file.';
  }
}

/** An unresolved import, at its own position instead of the whole stack file's. */
function importMistake({ code, message, stack }: Thrown, stackFile: string): Mistake | undefined {
  switch (code) {
    case 'ERR_MODULE_NOT_FOUND': {
      const [, what, target = '', from = ''] =
        /^Cannot find (module|package) '(.*)' imported from (.*)$/.exec(message) ?? [];
      return what === 'package' ? missingPackage(target, from) : missingFile(target, from);
    }
    case 'ERR_UNSUPPORTED_DIR_IMPORT': {
      const [, target = '', from = ''] = /^Directory import '(.*)' is not .* imported from (.*)$/.exec(message) ?? [];
      return missingFile(target.replace(/\/$/, ''), from);
    }
    case 'MODULE_NOT_FOUND': {
      const [, name = ''] = /^Cannot find module '(.*)'$/.exec(message) ?? [];
      const [, from = ''] = /^Require stack:\n- (.*)$/m.exec(stack) ?? [];
      return name.startsWith('.')
        ? missingFile(resolve(dirname(from), name), from)
        : missingPackage(packageOf(name), from);
    }
    case 'ERR_PACKAGE_PATH_NOT_EXPORTED':
      return missingSubpath(message);
    case 'ERR_IMPORT_ATTRIBUTE_MISSING': {
      const [, target = ''] = /^Module "(file:.*)" needs an import attribute/.exec(message) ?? [];
      const found = target === '' ? undefined : findImport(stackFile, resolvesTo(fileURLToPath(target), stackFile));
      return at(found, `Write \`import … from '${found?.specifier ?? '….json'}' with { type: 'json' }\`.`);
    }
    default:
      return undefined;
  }
}

interface FoundImport {
  readonly specifier: string;
  readonly position: Position;
}

/** A relative import: usually the extension is missing, or is the compiled file's. */
function missingFile(target: string, from: string): Mistake | undefined {
  if (target === '' || isInstalled(from)) return undefined;
  const found = findImport(from, resolvesTo(target, from));
  if (found === undefined) return undefined;
  const { specifier } = found;
  const message = `Error: there is no file ${specifier}`;
  const existing = importCandidates(target).find((path) => existsSync(path));
  if (existing !== undefined) {
    const fixed = specifierOf(specifier, target, existing);
    return { ...at(found, `Write '${fixed}': relative imports need their extension.`), message };
  }
  const near = suggest(basename(target), filesBeside(target));
  const hint = 'Correct the import (relative imports need their extension).';
  return { ...at(found, near === undefined ? hint : `Did you mean ${near}? ${hint}`), message };
}

function missingPackage(name: string, from: string): Mistake | undefined {
  if (name === '' || isInstalled(from)) return undefined;
  const found = findImport(from, (specifier) => specifier === name || specifier.startsWith(`${name}/`));
  const isAlias = /^(?:@\/|~)/.test(name);
  const hint = isAlias
    ? 'Node does not read `paths` of tsconfig.json: write a relative import, or name it in `imports` of package.json.'
    : `Install the package: npm install ${name}. (A file of your own begins with ./)`;
  return { ...at(found, hint), message: `Error: there is no package ${name}` };
}

function missingSubpath(message: string): Mistake | undefined {
  const pattern = /^Package subpath '\.(.*)' is not defined by "exports" in (.*)package\.json imported from (.*)$/;
  const [, subpath = '', folder = '', from = ''] = pattern.exec(message) ?? [];
  if (from === '' || isInstalled(from)) return undefined;
  const [, name = ''] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/$/.exec(folder.replaceAll('\\', '/')) ?? [];
  const found = findImport(from, (specifier) => specifier.endsWith(subpath) && specifier.startsWith(name));
  const entries = entriesOf(folder, packageOf(found?.specifier ?? name));
  const hint = entries.length === 0 ? 'Import what the package exports.' : `It has ${entries.join(', ')}.`;
  return { ...at(found, hint), message: `Error: the package has no entry ${found?.specifier ?? subpath}` };
}

/** `gantry`, `gantry/testing`. */
function entriesOf(folder: string, name: string): readonly string[] {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const keys = Object.keys(isObject(manifest) ? objectAt(manifest, 'exports') : {});
    return keys.filter((key) => /^\.(?:\/[\w/-]+)?$/.test(key)).map((key) => `${name}${key.slice(1)}`);
  } catch {
    return [];
  }
}

function at(found: FoundImport | undefined, hint: string): Mistake {
  return found === undefined ? { hint } : { hint, position: found.position };
}

/** `@scope/name/part` is a part of `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** Whether the file is in a package, whose imports the author of a stack cannot correct. */
function isInstalled(file: string): boolean {
  return file.replaceAll('\\', '/').includes('/node_modules/');
}

function resolvesTo(target: string, from: string): (specifier: string) => boolean {
  return (specifier) => specifier.startsWith('.') && resolve(dirname(from), specifier) === resolve(target);
}

/** Files that an import may mean: without an extension, with JavaScript's, or of a folder. */
function importCandidates(target: string): readonly string[] {
  const compiled = /^(.*)\.([mc]?)js$/.exec(target);
  if (compiled !== null) return [`${compiled[1] ?? ''}.${compiled[2] ?? ''}ts`];
  const files = ['.ts', '.mts', '.js', '.mjs', '.json'].map((ending) => `${target}${ending}`);
  return [...files, ...['index.ts', 'index.js'].map((name) => join(target, name))];
}

/** The specifier in its author's form, with another ending. */
function specifierOf(specifier: string, target: string, right: string): string {
  const trimmed = specifier.replace(/\/$/, '');
  const isCompiled = /\.[mc]?js$/.test(target) && !right.startsWith(target);
  return isCompiled ? trimmed.replace(/js$/, 'ts') : `${trimmed}${right.slice(target.length).replaceAll('\\', '/')}`;
}

function filesBeside(target: string): readonly string[] {
  try {
    return readdirSync(dirname(target));
  } catch {
    return [];
  }
}

/** The first import of a file with a matching specifier. */
function findImport(file: string, isIt: (specifier: string) => boolean): FoundImport | undefined {
  const text = textOf(file);
  for (const match of text.matchAll(/\b(?:from|import|require)\s*\(?\s*(['"])([^'"\n]+)\1/g)) {
    const [whole, , specifier = ''] = match;
    if (!isIt(specifier)) continue;
    const before = text.slice(0, match.index + whole.length - specifier.length - 1).split('\n');
    return { specifier, position: { file, line: before.length, column: before.at(-1)?.length ?? 1 } };
  }
  return undefined;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** A common mistake in a stack file, with its fix. */
interface Mistake {
  /** If more precise than the frames of the error. */
  readonly position?: Position;
  /** Replaces Node's message. */
  readonly message?: string;
  readonly hint: string;
}

/** Converts positions to displayed paths. Caches them, because thousands of positions are in a few files. */
export class FolderPlaces {
  readonly #cwd: string;
  readonly #shown = new Map<string, string>();

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  readonly place = ({ file, line, column }: Position): Position => {
    const path = this.#shown.get(file) ?? displayPath(file, this.#cwd);
    this.#shown.set(file, path);
    return { file: path, line, column };
  };

  readonly problem = (problem: LocatedProblem): LocatedProblem => {
    const position = this.place(problem.position);
    const { callers } = problem;
    // The message may contain positions of other resources.
    const message = problem.message.replaceAll(`${this.#cwd}/`, '');
    return callers === undefined
      ? { ...problem, message, position }
      : { ...problem, message, position, callers: callers.map(this.place) };
  };

  /** Computes the creator lazily: the engine only then formats its frames. */
  readonly document = ({ value, locate, madeBy }: ManifestDocument): ManifestDocument => {
    const document = { value, locate: () => this.place(locate([])) };
    if (madeBy === undefined) return document;
    const shown = () => this.#madeBy(madeBy);
    return {
      ...document,
      get madeBy() {
        return shown();
      },
    };
  };

  #madeBy({ callers, places, ...more }: MadeBy): MadeBy {
    return {
      ...more,
      callers: callers.map(this.place),
      ...present({ places: places?.map(({ pointer, position }) => ({ pointer, position: this.place(position) })) }),
    };
  }
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, objectAt } from '../../base/json/json.ts';
import { suggest } from '../../base/text/suggest.ts';
import type { Position } from '../../manifest/model/manifest.ts';
import type { Failure, Mistake } from './mistake.ts';

/** An import that leads nowhere, at its own place and not at that of the whole stack file. */
export function importMistake({ code, message, stack }: Failure, stackFile: string): Mistake | undefined {
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
      const found = target === '' ? undefined : findImport(stackFile, leadsTo(fileURLToPath(target), stackFile));
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

/** A relative import. Most often only its extension is missing, or that of the compiled file is given. */
function missingFile(target: string, from: string): Mistake | undefined {
  if (target === '' || isInstalled(from)) return undefined;
  const found = findImport(from, leadsTo(target, from));
  if (found === undefined) return undefined;
  const { specifier } = found;
  const message = `Error: there is no file ${specifier}`;
  const right = endings(target).find((path) => existsSync(path));
  if (right !== undefined) {
    const fixed = specifierOf(specifier, target, right);
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

/** The imports of a package are not for the author of a stack to correct. */
function isInstalled(file: string): boolean {
  return file.replaceAll('\\', '/').includes('/node_modules/');
}

function leadsTo(target: string, from: string): (specifier: string) => boolean {
  return (specifier) => specifier.startsWith('.') && resolve(dirname(from), specifier) === resolve(target);
}

/** Files that an import without an extension, with that of JavaScript, or of a folder may mean. */
function endings(target: string): readonly string[] {
  const compiled = /^(.*)\.([mc]?)js$/.exec(target);
  if (compiled !== null) return [`${compiled[1] ?? ''}.${compiled[2] ?? ''}ts`];
  const files = ['.ts', '.mts', '.js', '.mjs', '.json'].map((ending) => `${target}${ending}`);
  return [...files, ...['index.ts', 'index.js'].map((name) => join(target, name))];
}

/** The specifier as its author writes it, with another end. */
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

/** The first import of a file whose specifier is the one looked for. */
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

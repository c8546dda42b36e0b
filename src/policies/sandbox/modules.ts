import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import module from 'node:module';
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as programs from '#policy-programs';
import { isObject } from '../../base/json/json.ts';
import type { Position } from '../../manifest/model/manifest.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { sha256 } from '../../project/files/sha256.ts';
import { errorText } from '../../project/stack/parserMessage.ts';

/** The name of the program that runs with policies in their sandbox, and of the helpers of rules. */
export const programName = 'gantry:policies';
export const rulesName = 'gantry:rules';
/** The name of our scripts that load policies; they import files by their paths. */
export const loaderName = 'gantry:loader';

export const policyEntry = 'gantry/policies';
const entryText = `export { isKind, masked, policy, starter } from ${JSON.stringify(programName)};`;

const largestFile = 16 * 2 ** 20;
const isTypeScript = /\.[cm]?ts$/;
const isCode = /\.[cm]?[jt]s$/;
const hasModuleSyntax = /^\s*(?:import|export)\b/m;

type Way = 'import' | 'require';

/** A refused import, or a file that is not a program: reported instead of the interpreter's error. */
export class ModuleRefusal extends Error {
  readonly hint: string;
  readonly position: Position | undefined;

  constructor(message: string, hint: string, position?: Position | undefined) {
    super(message);
    this.hint = hint;
    this.position = position;
  }
}

/**
 * Finds and reads the modules of policies: files below the given folders, and packages that are installed for them.
 * Links are resolved first, so no link in the project leads out of it.
 */
export class PolicyModules {
  /** Folders whose files may be imported: the given paths by real path. Packages are added. */
  readonly #folders: Map<string, string>;
  /** The project, for messages. */
  readonly #project: string;
  /** The first importer of each module. */
  readonly #importers = new Map<string, string>();
  readonly #digests = new Map<string, string>();
  /** The last refusal. */
  #refusal: ModuleRefusal | undefined;

  /** `folders`: those whose files may be imported. */
  constructor(project: string, folders: readonly string[]) {
    this.#project = realpathSync(project);
    this.#folders = new Map(folders.map((folder) => [realpathSync(folder), folder]));
  }

  /** `require`: the extension may be omitted. */
  resolve(importer: string, specifier: string, way: Way = 'import'): string {
    const found = this.#noted(() => this.#resolved(importer, specifier, way), { importer, specifier });
    if (!this.#importers.has(found)) this.#importers.set(found, importer);
    return found;
  }

  /** The path of a module below the given folder, which may be a link. */
  asGiven(name: string): string {
    const folder = this.#folderOf(name);
    return folder === undefined ? name : join(this.#folders.get(folder) ?? folder, relative(folder, name));
  }

  #folderOf(real: string): string | undefined {
    return [...this.#folders.keys()].find((folder) => isIn(real, folder));
  }

  /** Whether a file is a module that was found. */
  isLoaded(file: string): boolean {
    return this.#importers.has(file);
  }

  /** Digests of the loaded files in order, without paths: packages are elsewhere on other machines. */
  get digests(): readonly string[] {
    return [...this.#digests.values()];
  }

  #loaded(name: string): string {
    const text = textOf(name);
    this.#digests.set(name, sha256(text));
    return text;
  }

  /** The refusal that caused an error in the sandbox: the interpreter only passes on its message. */
  refusalOf(message: string): ModuleRefusal | undefined {
    return this.#refusal?.message === message ? this.#refusal : undefined;
  }

  read(name: string): string {
    if (name === programName) return programs.policies;
    if (name === rulesName) return programs.rules;
    if (name === policyEntry) return entryText;
    return this.#noted(() => {
      if (name.endsWith('.json')) return `export default JSON.parse(${JSON.stringify(this.json(name))});`;
      return this.code(name);
    });
  }

  json(name: string): string {
    const text = this.#loaded(name).replace(/^\uFEFF/, '');
    try {
      JSON.parse(text);
      return text;
    } catch {
      throw new ModuleRefusal(`${this.#shown(name)} is not valid JSON`, 'Correct the file.');
    }
  }

  text(name: string): string {
    return textOf(name);
  }

  /** Its JavaScript, at the positions of the original TypeScript. */
  code(name: string): string {
    const text = this.#loaded(name);
    return isTypeScript.test(name) ? withoutTypes(text, name) : text;
  }

  /** Whether a file has `module.exports` instead of exports. */
  isCommonJs(name: string): boolean {
    if (!isCode.test(name) || /\.m[jt]s$/.test(name)) return false;
    if (/\.c[jt]s$/.test(name)) return true;
    return this.#descriptionAbove(name)?.['type'] !== 'module' && !hasModuleSyntax.test(textOf(name));
  }

  #noted(work: () => string, at?: { readonly importer: string; readonly specifier: string }): string {
    try {
      return work();
    } catch (error) {
      const {
        message,
        hint,
        position = at && this.#placeOf(at),
      } = error instanceof ModuleRefusal ? error : new ModuleRefusal(systemReason(error), 'Correct the file.');
      this.#refusal = new ModuleRefusal(message, hint, position);
      throw this.#refusal;
    }
  }

  /** The first position in a user's file that names the import. */
  #placeOf({ importer, specifier }: { readonly importer: string; readonly specifier: string }): Position | undefined {
    if (!this.isLoaded(importer) || importer.includes('/node_modules/')) return undefined;
    const lines = this.text(importer).split('\n');
    const names = [`'${specifier}'`, `"${specifier}"`];
    const line = lines.findIndex((text) => names.some((name) => text.includes(name)));
    const column = Math.max(...names.map((name) => lines[line]?.indexOf(name) ?? -1));
    return line < 0 ? undefined : { file: importer, line: line + 1, column: column + 1 };
  }

  #resolved(importer: string, specifier: string, way: Way): string {
    if (importer === programName || importer === policyEntry) return specifier;
    if (importer === loaderName) return isAbsolute(specifier) ? this.#entry(specifier) : specifier;
    if (specifier === policyEntry) return policyEntry;
    if (module.isBuiltin(specifier)) throw this.#builtIn(importer, specifier);
    if (specifier === 'gantry' || specifier.startsWith('gantry/') || specifier.startsWith('gantry:')) {
      throw new ModuleRefusal(
        `${this.#shown(importer)} imports ${specifier}`,
        `Policies import ${policyEntry}; types of other parts by \`import type\`.`,
      );
    }
    if (/^\.{0,2}\//.test(specifier) || specifier.startsWith('file:') || isAbsolute(specifier)) {
      return this.#file(importer, pathOf(specifier, importer), specifier, way);
    }
    return this.#installed(importer, specifier, way);
  }

  /** Resolves a file of policies. */
  #entry(path: string): string {
    const real = realpathSync(path);
    if (this.#folderOf(real) !== undefined) return real;
    const message = `${this.#shown(path)} is a link to ${real}, which is outside of the project`;
    throw new ModuleRefusal(message, 'Move the file into the project, or name its folder in policies.files.');
  }

  #file(importer: string, path: string, specifier: string, way: Way): string {
    const tried = way === 'import' ? [path] : [path, `${path}.js`, `${path}.json`, join(path, 'index.js')];
    const found = tried.find(isFile);
    const asks = `${this.#shown(importer)} imports ${specifier}`;
    if (found === undefined) {
      const meant = ['.ts', '.js', '.json', '/index.ts', '/index.js'].find((end) => isFile(path + end));
      const hint =
        meant === undefined
          ? 'Correct the import, or restore the file.'
          : `Imports name the whole file: ${specifier}${meant}.`;
      throw new ModuleRefusal(`${asks}: there is no such file`, hint);
    }
    const real = realpathSync(found);
    if (this.#folderOf(real) === undefined) {
      const where = 'which is outside of the project';
      throw new ModuleRefusal(`${asks}, ${where}`, 'Move the file into the project, or publish it as a package.');
    }
    if (!isCode.test(real) && extname(real) !== '.json') {
      const hint = 'Policies import TypeScript, JavaScript and JSON. Name other files under policies.inputs.';
      throw new ModuleRefusal(`${asks}, which is no module`, hint);
    }
    return real;
  }

  #builtIn(importer: string, specifier: string): ModuleRefusal {
    const name = specifier.replace(/^node:/, '');
    const hint = /^fs\b|^path$/.test(name)
      ? 'Import JSON (`import names from "./names.json" with { type: "json" }`), or name the file under policies.inputs in gantry.yaml: the policy gets it as context.inputs.'
      : 'Policies have nothing but the language, modules of the project and packages that need nothing else. What comes from outside is named under policies.inputs in gantry.yaml.';
    return new ModuleRefusal(`${this.#chain(importer)} imports ${specifier}, a module of Node`, hint);
  }

  /** The chain of imports from a file of the project to a package's module. */
  #chain(name: string): string {
    const chain = [this.#shown(name)];
    for (let at = this.#importers.get(name); at !== undefined && at !== loaderName; at = this.#importers.get(at)) {
      if (chain.length > 8) break;
      chain.unshift(this.#shown(at));
    }
    return chain.join(' > ');
  }

  #shown(name: string): string {
    const inside = relative(this.#project, name);
    return inside.startsWith('..') ? name : inside;
  }

  /** A module of a package, or of the importer's own `imports`. */
  #installed(importer: string, specifier: string, way: Way): string {
    if (specifier.startsWith('#')) {
      const folder = this.#folderAbove(importer);
      const own = folder === undefined ? undefined : mapped(descriptionIn(folder)?.['imports'], specifier, way);
      if (folder === undefined || own === undefined) throw this.#missing(importer, specifier);
      return own.startsWith('.')
        ? this.#file(importer, join(folder, own), specifier, way)
        : this.#resolved(importer, own, way);
    }
    const [, name = '', rest = ''] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(specifier) ?? [];
    for (let at = dirname(importer); ; at = dirname(at)) {
      const folder = join(at, 'node_modules', name);
      const description = descriptionIn(folder);
      if (description !== undefined)
        return this.#inPackage(importer, { folder: realpathSync(folder), description }, rest, way);
      if (at === dirname(at)) throw this.#missing(importer, specifier);
    }
  }

  #inPackage(
    importer: string,
    { folder, description }: { readonly folder: string; readonly description: Readonly<Record<string, unknown>> },
    rest: string,
    way: Way,
  ): string {
    this.#folders.set(folder, folder);
    const { exports, main } = description;
    const specifier = `.${rest}`;
    if (exports !== undefined && exports !== null) {
      const subpaths = isObject(exports) && Object.keys(exports).some((key) => key.startsWith('.'));
      const target = mapped(subpaths ? exports : { '.': exports }, specifier, way);
      if (target?.startsWith('./')) return this.#file(importer, join(folder, target), specifier, way);
      throw this.#missing(importer, `${description['name']}${rest}`);
    }
    const path = rest === '' ? join(folder, typeof main === 'string' ? main : 'index.js') : join(folder, rest);
    return this.#file(importer, path, specifier, 'require');
  }

  #missing(importer: string, specifier: string): ModuleRefusal {
    return new ModuleRefusal(
      `${this.#shown(importer)} imports ${specifier}, which is not installed`,
      'Install the package, or correct the import (relative imports begin with ./).',
    );
  }

  #folderAbove(name: string): string | undefined {
    for (let at = dirname(name); at !== dirname(at); at = dirname(at)) if (descriptionIn(at) !== undefined) return at;
    return undefined;
  }

  #descriptionAbove(name: string): Readonly<Record<string, unknown>> | undefined {
    const folder = this.#folderAbove(name);
    return folder === undefined ? undefined : descriptionIn(folder);
  }
}

function pathOf(specifier: string, importer: string): string {
  return specifier.startsWith('file:') ? fileURLToPath(specifier) : resolve(dirname(importer), specifier);
}

/** The target of a name in `exports` or `imports` of a package; a `*` in a key matches anything. */
function mapped(table: unknown, name: string, way: Way): string | undefined {
  if (!isObject(table)) return undefined;
  if (Object.hasOwn(table, name)) return chosen(table[name], way);
  for (const [key, value] of Object.entries(table).toSorted(([a], [b]) => b.length - a.length)) {
    const [before = '', after, ...more] = key.split('*');
    if (after === undefined || more.length > 0) continue;
    if (name.length < key.length || !name.startsWith(before) || !name.endsWith(after)) continue;
    const part = name.slice(before.length, name.length - after.length);
    return chosen(value, way)?.replaceAll('*', part);
  }
  return undefined;
}

/** Selected by conditions, except Node's: its modules are not available. */
function chosen(value: unknown, way: Way): string | undefined {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return undefined;
  for (const [condition, each] of Object.entries(value)) {
    if (condition !== way && condition !== 'module-sync' && condition !== 'default') continue;
    const target = chosen(each, way);
    if (target !== undefined) return target;
  }
  return undefined;
}

function descriptionIn(folder: string): Readonly<Record<string, unknown>> | undefined {
  const file = join(folder, 'package.json');
  if (!isFile(file)) return undefined;
  try {
    const content: unknown = JSON.parse(textOf(file));
    return isObject(content) ? content : {};
  } catch {
    return {};
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Reads only files, no links, so it cannot block or continue endlessly. */
function textOf(path: string): string {
  const { size } = lstatSync(path);
  if (size > largestFile) throw new ModuleRefusal(`${path} is larger than 16 MiB`, 'Policies import small files.');
  return readFileSync(path, 'utf8');
}

function isIn(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Matches Node's report on wrong TypeScript: its line, and below it a mark under the column. */
const syntaxPlace = /^.*:(\d+)\n(?:.*\n)*?( *)\^/;

function withoutTypes(text: string, file: string): string {
  try {
    return module.stripTypeScriptTypes(text);
  } catch (error) {
    const { message = '', stack = '' } = error instanceof Error ? error : {};
    const [, line = '1', before = ''] = syntaxPlace.exec(stack) ?? [];
    const said = message.split('\n', 1)[0] ?? '';
    const isUnsupported = /not supported in strip-only mode/.test(said);
    const hint = isUnsupported
      ? 'Only types are removed from TypeScript: write a union or a constant object in place of an enum, fields in place of parameter properties, modules in place of namespaces.'
      : 'Correct the file.';
    throw new ModuleRefusal(errorText({ name: 'SyntaxError', message: said, code: undefined }), hint, {
      file,
      line: Number(line),
      column: before.length + 1,
    });
  }
}

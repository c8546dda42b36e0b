import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile, readlink, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { At, adviceOf, tryRead } from '../../base/form/read.ts';
import { compact } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import { type ConfigurationFile, type Migration, migrate, type RemainingWork } from '../../hcl/migration/migrate.ts';
import { type Names, namesOf, namesReader, prefixReader } from '../../hcl/migration/names.ts';
import type { Parse, Syntax } from '../../hcl/migration/syntax.ts';
import { readDataFile } from '../../project/files/dataFile.ts';
import { systemReason } from '../../project/files/fileRefusal.ts';
import { fileSizes } from '../../project/files/sizes.ts';
import { writeWhole } from '../../project/files/writeWhole.ts';

export interface FolderMigration {
  /** Absolute. */
  readonly folder: string;
  /** A table of names (absolute path), or the prefix of the other provider's types, from which the rest is derived. */
  readonly names: { readonly file: string } | { readonly prefix: string };
  /** The version of the provider. */
  readonly version: string;
  /** Absolute: the folder where the parser may be installed. */
  readonly project: string;
}

/**
 * Converts the configuration in a folder, and below it, for this provider. Writes nothing.
 *
 * Errors: `terraform.parser`, `terraform.names`, `terraform.files`, and `terraform.syntax` for a file that is not a
 * valid configuration, before or after.
 */
export async function migrateFolder({ folder, names, version, project }: FolderMigration): Promise<Migration> {
  const [parse, table, { files, links }] = await Promise.all([
    hclParser(project),
    namesIn(names),
    configurationIn(folder),
  ]);
  if (files.length === 0) {
    throw new ToolError({
      code: 'terraform.files',
      message: `${folder} has no .tf files`,
      hint: 'Name the folder of the root module. Configuration in JSON (.tf.json) is not migrated.',
    });
  }
  const migration = migrate(files, table, { parse, version });
  if (!('wrong' in migration)) {
    return { ...migration, undone: [...migration.undone, ...links, ...(await linksIn(folder, migration))] };
  }
  const { file, line, isRewritten } = migration.wrong;
  throw new ToolError({
    code: 'terraform.syntax',
    message: isRewritten
      ? `${file}: the result would be no configuration at line ${line}; nothing was written`
      : `${file}, line ${line}: this is no configuration of Terraform; nothing was written`,
    hint: isRewritten
      ? 'Simplify what is there, and run it again. Please report it, with these lines.'
      : 'Run terraform validate there, and correct it first.',
    place: { file: join(folder, file), line },
  });
}

/** Reports links that files will replace, because their targets may be part of other configurations. */
async function linksIn(folder: string, { files }: Migration): Promise<readonly RemainingWork[]> {
  const found: RemainingWork[] = [];
  for (const { path, before } of files) {
    if (before === undefined || !(await lstat(join(folder, path))).isSymbolicLink()) continue;
    const target = await readlink(join(folder, path));
    const what = `it is a link, and becomes a file of its own; ${target} stays as it is`;
    found.push({ file: path, line: 1, what });
  }
  return found;
}

/** Writes the changed files. Errors: `terraform.files`, with the files written before. */
export function writeMigration(folder: string, { files }: Migration): void {
  for (const { path, after } of files) {
    try {
      writeWhole(join(folder, path), after, 0o644);
    } catch (error) {
      throw new ToolError({
        code: 'terraform.files',
        message: `${path} cannot be written: ${systemReason(error)}`,
        hint: 'Correct its permissions and run it again: what is done already stays as it is.',
        cause: error,
      });
    }
  }
}

/** The table from a file, or for a prefix. Errors: `terraform.names`. */
export async function namesIn(names: FolderMigration['names']): Promise<Names> {
  if ('prefix' in names) {
    const read = tryRead(() => prefixReader.read(names.prefix, new At({}, ['--prefix'])));
    if ('problems' in read) throw wrongNames('', adviceOf(read.problems[0]));
    return namesOf(read.value);
  }
  const { file } = names;
  const { value, ...places } = await readDataFile(file, { most: fileSizes.configuration }).catch((error: unknown) => {
    throw wrongNames(`${file}: `, systemReason(error));
  });
  const read = tryRead(() => namesReader.read(value, new At({ file, ...places })));
  if ('value' in read) return read.value;
  const [problem] = read.problems;
  const place = places.locate?.(problem.pointer, problem.isOfName === true ? 'field' : 'value');
  throw wrongNames(`${file}${place === undefined ? '' : `, line ${place.line}`}: `, adviceOf(problem));
}

function wrongNames(where: string, why: string): ToolError {
  return new ToolError({
    code: 'terraform.names',
    message: `${where}${why}`,
    hint: 'docs/terraform.md has an example of a table of names.',
  });
}

interface Configuration {
  readonly files: readonly ConfigurationFile[];
  /** Folders that are links, and are not followed. */
  readonly links: readonly RemainingWork[];
}

async function configurationIn(root: string, folder = ''): Promise<Configuration> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
    throw unreadable(join(root, folder), error, 'Name the folder of the root module.');
  });
  const visible = entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1));
  const found = await Promise.all(visible.map((entry) => foundAt(root, `${folder}${entry.name}`, entry)));
  return { files: found.flatMap(({ files }) => files), links: found.flatMap(({ links }) => links) };
}

async function foundAt(root: string, path: string, entry: Dirent): Promise<Configuration> {
  if (entry.isDirectory()) {
    return entry.name === 'node_modules' ? { files: [], links: [] } : configurationIn(root, `${path}/`);
  }
  if (entry.name.endsWith('.tf')) {
    const text = await readFile(join(root, path), 'utf8').catch((error: unknown) => {
      throw unreadable(join(root, path), error, 'Correct its permissions, or remove it; nothing was written.');
    });
    return { files: [{ path, text }], links: [] };
  }
  if (!entry.isSymbolicLink() || !(await hasConfiguration(join(root, path)))) return { files: [], links: [] };
  const what = `it is a link to a folder, and is left as it is: migrate ${await readlink(join(root, path))} by itself`;
  return { files: [], links: [{ file: path, line: 1, what }] };
}

async function hasConfiguration(path: string): Promise<boolean> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false, // its target does not exist
  );
  return isFolder && (await readdir(path)).some((name) => name.endsWith('.tf'));
}

function unreadable(path: string, error: unknown, hint: string): ToolError {
  const message = `${path} cannot be read: ${systemReason(error)}`;
  return new ToolError({ code: 'terraform.files', message, hint, cause: error });
}

/** The parser of Terraform's language. It is not installed with Gantry, because only a migration needs it. */
const library = 'web-tree-sitter';
const grammar = '@tree-sitter-grammars/tree-sitter-hcl';
const parserInstallation = `npm install -D ${library}@0.27.2 ${grammar}@1.2.0`;

interface Node {
  readonly type: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly hasError: boolean;
  readonly isError: boolean;
  readonly isMissing: boolean;
  readonly children: readonly (Node | null)[];
  readonly namedChildren: readonly (Node | null)[];
}

/** The used part of the library. */
interface Library {
  readonly Parser: {
    init(options: { readonly wasmBinary: Uint8Array }): Promise<void>;
    new (): {
      setLanguage(language: unknown): void;
      parse(text: string): { readonly rootNode: Node; delete(): void } | null;
    };
  };
  readonly Language: { load(grammar: Uint8Array): Promise<unknown> };
}

function isLibrary(value: unknown): value is Library {
  return typeof value === 'object' && value !== null && 'Parser' in value && 'Language' in value;
}

/** `project`: the folder where it may be installed. Errors: `terraform.parser`. */
export async function hclParser(project: string): Promise<Parse> {
  const files = resolvedIn(join(project, 'package.json')) ?? resolvedIn(import.meta.url);
  if (files === undefined) {
    throw new ToolError({
      code: 'terraform.parser',
      message: `${library} and ${grammar} are not installed in ${project}; they read Terraform's language`,
      hint: `Run: ${parserInstallation}`,
    });
  }
  const [found, wasmBinary, language] = await Promise.all([
    import(pathToFileURL(files.script).href),
    readFile(files.engine),
    readFile(files.grammar),
  ]).catch((error: unknown) => {
    throw broken(error);
  });
  if (!isLibrary(found)) throw broken(undefined);
  await found.Parser.init({ wasmBinary });
  const parser = new found.Parser();
  parser.setLanguage(await found.Language.load(language));
  return (text) => {
    const tree = parser.parse(text);
    if (tree === null) throw broken(undefined);
    const { rootNode: root } = tree;
    const read = root.hasError ? { errorOffset: wrongIn(root) } : { root: plain(root) };
    tree.delete();
    return read;
  };
}

function broken(cause: unknown): ToolError {
  return new ToolError({
    code: 'terraform.parser',
    message: `${library} does not work with ${grammar}`,
    hint: `These versions work together: ${parserInstallation}`,
    cause,
  });
}

function resolvedIn(
  from: string,
): { readonly script: string; readonly engine: string; readonly grammar: string } | undefined {
  const { resolve } = createRequire(from);
  try {
    return {
      script: resolve(library),
      engine: resolve(`${library}/web-tree-sitter.wasm`),
      grammar: resolve(`${grammar}/tree-sitter-terraform.wasm`),
    };
  } catch {
    return undefined;
  }
}

function plain({ type, startIndex: start, endIndex: end, namedChildren }: Node): Syntax {
  return { type, start, end, children: compact(namedChildren, (child) => (child === null ? undefined : plain(child))) };
}

/** The position of the first syntax error. */
function wrongIn(node: Node): number {
  const inside = node.children.find((child) => child?.hasError === true || child?.isMissing === true);
  return node.isError || node.isMissing || inside === undefined || inside === null ? node.startIndex : wrongIn(inside);
}

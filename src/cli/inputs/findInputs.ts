import { glob, readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { LocatedProblem } from '../../manifest/locatedProblem.ts';
import { isObject, own } from '../../schema/json.ts';
import { displayPath } from './displayPath.ts';
import { inputProblem, systemReason } from './inputProblem.ts';

/** One PATH argument, resolved. */
export type Input =
  | {
      readonly type: 'files';
      readonly paths: readonly string[];
      readonly whole: boolean;
      /** The one file that was named; absent where they were found. */
      readonly named?: true;
    }
  | { readonly type: 'stack'; readonly path: string }
  | { readonly type: 'stdin' }
  | { readonly type: 'problem'; readonly problem: LocatedProblem };

const settingsFile = 'gantry.yaml';
const defaultStackFile = 'stack.ts';
const manifestFile = /\.(?:ya?ml|json)$/;
const stackFile = /\.(?:[cm]?ts|[cm]?js)$/;
/** JSON and YAML that belongs to other tools and often lies beside manifests. */
const notManifests: ReadonlySet<string> = new Set([settingsFile, 'package.json', 'package-lock.json', 'tsconfig.json']);

/**
 * What a PATH means:
 * - `-`: manifests from standard input;
 * - a TypeScript or JavaScript file: a stack;
 * - a YAML or JSON file: its manifests;
 * - a folder with `stack.ts`, or whose `gantry.yaml` says `main: FILE`: that stack, and nothing else in the folder;
 * - another folder: its YAML and JSON files, those of its sub-folders included. Left out are `gantry.yaml`,
 *   `package.json`, `package-lock.json`, `tsconfig.json`, `node_modules`, plans that were kept, and what begins with a dot;
 * - else a glob pattern.
 *
 * A stack, and a folder with `gantry.yaml`, are the whole of what is wanted; other files are a part of it (design 2).
 */
export async function findInput(path: string, cwd: string): Promise<Input> {
  if (path === '-') return { type: 'stdin' };
  const absolute = resolve(cwd, path);
  try {
    const found = await stat(absolute);
    if (found.isDirectory()) return await folder(absolute, cwd);
    if (basename(absolute) === settingsFile) return await folder(dirname(absolute), cwd);
    return file(absolute, cwd);
  } catch (error) {
    if (/[*?[{]/.test(path)) return await pattern(path, cwd);
    // Of a folder below that cannot be read, that folder is named: the one that was given is there.
    const at = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : path;
    return {
      type: 'problem',
      problem: inputProblem(displayPath(at, cwd), 'input.missing', systemReason(error), 'Check the path.'),
    };
  }
}

function file(path: string, cwd: string): Input {
  if (manifestFile.test(path)) return { type: 'files', paths: [path], whole: false, named: true };
  if (stackFile.test(path)) return { type: 'stack', path };
  const hint = 'Manifests end in .yaml, .yml or .json; stacks in .ts or .js.';
  return {
    type: 'problem',
    problem: inputProblem(displayPath(path, cwd), 'input.format', 'this is no kind of input', hint),
  };
}

async function folder(path: string, cwd: string): Promise<Input> {
  const names = await readdir(path);
  const whole = names.includes(settingsFile);
  const main = whole ? await mainOf(join(path, settingsFile)) : undefined;
  if (main !== undefined) return { type: 'stack', path: resolve(path, main) };
  if (names.includes(defaultStackFile)) return { type: 'stack', path: join(path, defaultStackFile) };

  const paths = await manifestsBelow(path);
  if (paths.length > 0 || whole) return { type: 'files', paths, whole };
  const hint = 'Name a folder with YAML or JSON manifests, or with a stack.ts.';
  return {
    type: 'problem',
    problem: inputProblem(displayPath(path, cwd), 'input.empty', 'there is no manifest in it', hint),
  };
}

/** A folder below with a `gantry.yaml` of its own is another project, which has another owner. */
async function manifestsBelow(path: string, depth = 0): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    if (depth > 0 && isGone(error)) return [];
    throw error;
  });
  if (depth > 0 && entries.some(({ name }) => name === settingsFile)) return [];
  const found = await Promise.all(
    entries.map(async (entry): Promise<readonly string[]> => {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
      const below = join(path, entry.name);
      if (entry.isDirectory()) return manifestsBelow(below, depth + 1);
      const readable = entry.isFile() || entry.isSymbolicLink();
      return readable && manifestFile.test(entry.name) && !notManifests.has(entry.name) ? [below] : [];
    }),
  );
  return found.flat().sort();
}

/** A folder that was listed, and is not there any more when it is read. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function pattern(path: string, cwd: string): Promise<Input> {
  const paths: string[] = [];
  for await (const match of glob(path, {
    cwd,
    exclude: (name) => /(?:^|[\\/])(?:\.[^./\\]|node_modules)/.test(name),
  })) {
    if (manifestFile.test(match) && !notManifests.has(basename(match))) paths.push(resolve(cwd, match));
  }
  if (paths.length > 0) return { type: 'files', paths: paths.sort(), whole: false };
  return { type: 'problem', problem: inputProblem(path, 'input.missing', 'no manifest matches', 'Check the pattern.') };
}

/** `main` of `gantry.yaml`. What else is in it, and whether it is right, is for the settings to say. */
async function mainOf(path: string): Promise<string | undefined> {
  const { load } = await import('js-yaml');
  try {
    const settings: unknown = load(await readFile(path, 'utf8'));
    const main = isObject(settings) ? own(settings, 'main') : undefined;
    return typeof main === 'string' && main !== '' ? main : undefined;
  } catch {
    return undefined;
  }
}

import type { Stats } from 'node:fs';
import { glob, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fieldIn } from '../../base/json/json.ts';
import { displayPath, systemReason } from '../files/fileRefusal.ts';
import { settingsFileName } from '../files/projectFiles.ts';
import { kindOf } from '../files/readBytes.ts';
import { fileSizes } from '../files/sizes.ts';
import { SearchBudget, SearchStopped, searchBounds } from './bounds.ts';
import { emptyFolder, type FindOptions, type Input, noInput, stoppedSearch } from './input.ts';
import {
  defaultStackName,
  hasManifestSuffix,
  isManifestName,
  isMisspeltSettingsName,
  isMisspeltStackName,
  isStackName,
} from './names.ts';

/** Names of standard input on systems that have one. */
const standardInput: ReadonlySet<string> = new Set(['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);

/**
 * Resolves a PATH:
 * - `-`: manifests from standard input;
 * - a TypeScript or JavaScript file: a stack;
 * - a YAML or JSON file, or a pipe (`<(command)`): its manifests;
 * - a folder with `stack.ts`, or with `main: FILE` in its `gantry.yaml`: that stack, and nothing else in the folder;
 * - another folder: the YAML and JSON files in it, in its sub-folders and in the targets of its links. Omitted are
 *   `gantry.yaml`, `package.json`, `package-lock.json`, `tsconfig.json`, `node_modules`, `dist`, saved plans, names
 *   with a leading dot, and entries matched by `.gitignore` or `.gantryignore`;
 * - else a glob pattern.
 *
 * A stack, or a folder with `gantry.yaml`, declares everything that is desired; other files declare a part of it.
 */
export async function findInput(path: string, cwd: string, options: FindOptions = {}): Promise<Input> {
  if (path === '-' || standardInput.has(path)) return { type: 'stdin' };
  const absolute = resolve(cwd, path);
  try {
    const found = await stat(absolute);
    if (found.isDirectory()) return await folder(absolute, cwd, options);
    if (found.isFIFO()) return { type: 'files', paths: [absolute], isProject: false, named: true };
    if (!found.isFile()) return notAFile(absolute, found, cwd);
    if (basename(absolute) === settingsFileName) return await folder(dirname(absolute), cwd, options);
    return file(absolute, cwd);
  } catch (error) {
    if (error instanceof SearchStopped) return stoppedSearch(error, cwd);
    if (/[*?[{]/.test(path)) return findPattern(path, cwd, options);
    // If a folder below cannot be read, names that folder, because the given one exists.
    const at = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : path;
    return noInput(displayPath(at, cwd), 'input.missing', systemReason(error));
  }
}

function file(path: string, cwd: string): Input {
  if (hasManifestSuffix(path)) return { type: 'files', paths: [path], isProject: false, named: true };
  if (isStackName(path)) return { type: 'stack', path, notes: [] };
  const hint = 'Manifests end in .yaml, .yml or .json; stacks in .ts or .js.';
  return noInput(
    displayPath(path, cwd),
    'input.format',
    'this is neither a manifest nor a stack nor a saved plan',
    hint,
  );
}

async function folder(path: string, cwd: string, options: FindOptions): Promise<Input> {
  const names = await readdir(path);
  const isProject = names.includes(settingsFileName);
  const main = isProject ? await mainOf(join(path, settingsFileName)) : undefined;
  if (main !== undefined && typeof main === 'object') {
    return noInput(
      displayPath(join(path, settingsFileName), cwd),
      'settings.file',
      main.reason,
      'Correct gantry.yaml.',
    );
  }
  if (main !== undefined) return stack(path, resolve(path, main), names, cwd);
  if (names.includes(defaultStackName)) return stack(path, join(path, defaultStackName), names, cwd);

  const misspelt = names.find((name) => isMisspeltStackName(name) || isMisspeltSettingsName(name));
  if (misspelt !== undefined) return misspeltName(join(path, misspelt), cwd);
  const { findManifests } = await import('./findManifests.ts');
  const { bounds = searchBounds, now = () => performance.now() } = options;
  const { paths, problems, notes } = await findManifests(path, { cwd, bounds, now });
  if (paths.length > 0 || isProject || problems.length > 0) {
    return { type: 'files', paths, isProject, searched: { folder: path, problems, notes } };
  }
  return { type: 'problem', problem: emptyFolder(path, cwd), notes };
}

/** A stack, with a note about manifests next to it, which are not read. */
async function stack(folder: string, path: string, names: readonly string[], cwd: string): Promise<Input> {
  const found = await stat(path).catch(() => undefined); // a missing file is reported when it is run
  if (found !== undefined && !found.isFile()) return notAFile(path, found, cwd);
  const beside = names.filter((name) => isManifestName(name));
  if (beside.length === 0) return { type: 'stack', path, notes: [] };
  const { notesBeside } = await import('./findManifests.ts');
  return { type: 'stack', path, notes: await notesBeside(folder, beside, cwd) };
}

function notAFile(path: string, found: Stats, cwd: string): Input {
  return noInput(displayPath(path, cwd), 'input.not-a-file', `it is ${kindOf(found)}, not a file`);
}

function misspeltName(path: string, cwd: string): Input {
  const name = basename(path);
  const isSettings = isMisspeltSettingsName(name);
  const message = isSettings
    ? `settings are read from ${settingsFileName} only`
    : `a stack is found as ${defaultStackName} only`;
  const hint = isSettings
    ? `Rename it to ${settingsFileName}.`
    : `Write main: ${name} into gantry.yaml, or name the file itself.`;
  return noInput(displayPath(path, cwd), 'input.name', message, hint);
}

/** `main` of `gantry.yaml`. The rest is validated with the settings. */
async function mainOf(path: string): Promise<string | { readonly reason: string } | undefined> {
  const { readDataFile } = await import('../files/dataFile.ts');
  try {
    const { value } = await readDataFile(path, { most: fileSizes.settings });
    const main = fieldIn(value, 'main');
    return typeof main === 'string' && main !== '' ? main : undefined;
  } catch (error) {
    return { reason: systemReason(error) };
  }
}

/** The manifests that match a glob pattern. */
async function findPattern(
  pattern: string,
  cwd: string,
  { bounds = searchBounds, now = () => performance.now() }: FindOptions,
): Promise<Input> {
  const budget = new SearchBudget(bounds, now);
  const paths: string[] = [];
  try {
    for await (const match of matches(pattern, cwd, budget)) {
      if (!isManifestName(basename(match))) continue;
      budget.manifest(resolve(cwd, match));
      paths.push(resolve(cwd, match));
    }
  } catch (error) {
    if (error instanceof SearchStopped) return stoppedSearch(error, cwd);
    throw error;
  }
  if (paths.length > 0) return { type: 'files', paths: paths.sort(), isProject: false };
  return noInput(pattern, 'input.missing', 'no manifest matches', 'Check the pattern.');
}

/**
 * The paths that match a glob pattern, without names with a leading dot and `node_modules`. Errors: `SearchStopped`.
 */
export function matches(pattern: string, cwd: string, budget: SearchBudget): AsyncIterable<string> {
  const exclude = (path: string): boolean => {
    budget.entries(1, resolve(cwd, path));
    return /(?:^|[\\/])(?:\.[^./\\]|node_modules(?:[\\/]|$))/.test(path);
  };
  return glob(pattern, { cwd, exclude });
}

import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../base/json/json.ts';
import { suggest } from '../../base/text/suggest.ts';
import { beginningBytes, isSavedPlan } from '../../change/isSavedPlan.ts';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { ManifestDocument } from '../../manifest/model/manifest.ts';
import { parseManifestText } from '../../manifest/parseManifestText.ts';
import type { ParsedText } from '../../manifest/textPosition.ts';
import { isDeclarable } from '../../schema/record/kinds.ts';
import { decodeText } from '../files/decodeText.ts';
import { displayPath, FileRefusal, inputProblem, systemReason } from '../files/fileRefusal.ts';
import { readBytes, TotalSize, TotalTooLarge } from '../files/readBytes.ts';
import { readStream } from '../files/readStream.ts';
import { fileSizes } from '../files/sizes.ts';
import { narrowSearch } from './input.ts';
import { isJsonName } from './names.ts';

/** Limit of concurrently open files. */
const atOnce = 16;

/** The content of files. */
export interface ReadFiles {
  readonly documents: readonly ManifestDocument[];
  readonly problems: readonly LocatedProblem[];
  /** Files of other tools, by displayed path. */
  readonly otherFiles: readonly string[];
}

/**
 * Reads and parses manifest files; the results are in the order of the paths. Saved plans, and files without anything
 * like a manifest, are omitted, or a problem if the user named the file.
 */
export async function readFiles(
  paths: readonly string[],
  cwd: string,
  isNamed: (path: string) => boolean,
): Promise<ReadFiles> {
  const results: ReadFiles[] = [];
  const total = new TotalSize(fileSizes.allManifests);
  let next = 0;
  async function work(): Promise<void> {
    for (let index = next++; index < paths.length && !total.isOver; index = next++) {
      const path = paths[index] ?? '';
      results[index] = await readOne(path, cwd, isNamed(path), total);
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, paths.length) }, work));
  const problems = results.flatMap((result) => result.problems);
  const firstTooMany = problems.find(({ rule }) => rule === 'input.too-many');
  return {
    documents: results.flatMap(({ documents }) => documents),
    // Later ones were open at the same time, and are the same error.
    problems: problems.filter((problem) => problem.rule !== 'input.too-many' || problem === firstTooMany),
    otherFiles: results.flatMap(({ otherFiles }) => otherFiles),
  };
}

async function readOne(path: string, cwd: string, named: boolean, total: TotalSize): Promise<ReadFiles> {
  const file = displayPath(path, cwd);
  try {
    const bytes = await readBytes(path, { most: fileSizes.manifests, pipes: named, total });
    if (isKeptPlan(bytes)) return keptPlan(file, named);
    const { documents, problems } = parseBytes(bytes, file, isJsonName(path) ? 'json' : 'yaml');
    if (!named && isOtherFile(documents)) return { ...noFiles, otherFiles: [file] };
    return { documents, problems, otherFiles: [] };
  } catch (error) {
    return { ...noFiles, problems: [unreadable(file, error, named)] };
  }
}

const noFiles: ReadFiles = { documents: [], problems: [], otherFiles: [] };

function unreadable(file: string, error: unknown, named: boolean): LocatedProblem {
  // Node replaces bytes that are not UTF-8, so the path that it lists does not exist.
  if (!named && file.includes('\ufffd'))
    return inputProblem(file, 'input.unreadable', 'its name is not UTF-8', 'Rename it.');
  if (!(error instanceof FileRefusal))
    return inputProblem(file, 'input.unreadable', systemReason(error), 'Check the path.');
  if (error instanceof TotalTooLarge) return inputProblem(file, 'input.too-many', error.message, narrowSearch);
  const hint = named ? 'Name a file with manifests.' : 'Remove it, or name it in .gantryignore.';
  return inputProblem(file, 'input.unreadable', error.message, hint);
}

function isKeptPlan(bytes: Buffer): boolean {
  return isSavedPlan(bytes.toString('utf8', 0, beginningBytes));
}

function keptPlan(file: string, named: boolean): ReadFiles {
  const hint = 'gantry apply FILE runs it, gantry explain FILE and gantry undo FILE read it.';
  const problem = inputProblem(file, 'input.saved-plan', 'this is a saved plan, not a manifest', hint);
  return { ...noFiles, problems: named ? [problem] : [] };
}

/** Text without a declaration is an error: an emptied file must not mean "nothing is desired". */
function parseBytes(bytes: Buffer, file: string, format: 'yaml' | 'json'): ParsedText {
  const decoded = decodeText(bytes, file);
  if ('problem' in decoded) return { documents: [], problems: [decoded.problem] };

  if (decoded.text.trim() === '') return { documents: [], problems: [empty(file)] };
  if (decoded.text.startsWith(largeFilePointer)) return { documents: [], problems: [pointer(file)] };
  const parsed = parseManifestText({ text: decoded.text, file, format });
  const isNothing = parsed.problems.length === 0 && parsed.documents.every(({ value }) => value === null);
  return isNothing ? { documents: [], problems: [empty(file)] } : parsed;
}

/** Standard input, whose size is unknown in advance. */
export async function readStandardInput(stdin: AsyncIterable<Uint8Array | string>): Promise<ParsedText> {
  const file = '(standard input)';
  try {
    const bytes = await readStream(stdin, fileSizes.manifests);
    if (isKeptPlan(bytes)) return keptPlan(file, true);
    return parseBytes(bytes, file, 'yaml');
  } catch (error) {
    return { documents: [], problems: [unreadable(file, error, true)] };
  }
}

/** The start of the pointer that a checkout contains instead of a file in Git LFS. */
const largeFilePointer = 'version https://git-lfs.github.com/spec/';

function pointer(file: string): LocatedProblem {
  const message = 'this is a pointer of Git LFS, and not the file';
  return inputProblem(file, 'input.unreadable', message, 'Fetch the file: git lfs pull.');
}

function empty(file: string): LocatedProblem {
  return inputProblem(file, 'input.empty', 'there is no resource in it', 'Declare a resource, or remove the file.');
}

/** Fields of manifests that files of other tools rarely have. */
const telling = ['kind', 'name', 'gvc', 'spec', 'lifecycle'] as const;

/**
 * Whether a found file, not named by the user, belongs to another tool: no document resembles a manifest, not even an
 * invalid one. A file with a resemblance must remain an error, because a mistake in `kind` would delete the resource.
 */
function isOtherFile(documents: readonly ManifestDocument[]): boolean {
  const values = documents.map(({ value }) => value).filter((value) => value !== null);
  return values.length > 0 && values.every(isForeign);
}

function isForeign(value: JsonValue): boolean {
  if (isArray(value)) return value.length > 0 && value.every((item) => !isContainer(item) || isForeign(item));
  if (!isObject(value)) return false; // text may be a manifest without its colons
  const keys = Object.keys(value);
  if (keys.length === 0 || looksLikeManifest(value, keys)) return false;
  const items = own(value, 'items');
  const inside = isArray(items) ? items : Object.values(value);
  return !inside.some((member) => isObject(member) && isManifest(member));
}

function isContainer(value: JsonValue): boolean {
  return isArray(value) || isObject(value);
}

function looksLikeManifest(value: JsonObject, keys: readonly string[]): boolean {
  return telling.some((name) => Object.hasOwn(value, name)) || keys.some((key) => suggest(key, ['kind']) !== undefined);
}

function isManifest(value: JsonObject): boolean {
  const kind = own(value, 'kind');
  return typeof kind === 'string' && isDeclarable(kind) && Object.hasOwn(value, 'name');
}

import { pathToFileURL } from 'node:url';
import { appCollector } from '../../../constructs/appCollector.ts';
import { resolve } from '../../../constructs/values/resolve.ts';
import type { ManifestDocument } from '../../manifest/model/document.ts';
import type { Position } from '../../manifest/model/manifest.ts';
import type { ParsedText } from '../../manifest/text/parsedText.ts';
import { displayPath } from '../files/displayPath.ts';
import { inputProblem } from '../files/inputProblem.ts';
import { holdsResources, synthOf, treeOf, treeProblems } from './trees.ts';

/**
 * Runs a stack file, by Node's own type stripping, and takes its manifests: those of the default export (an app, a
 * stack, manifests, or a function that returns one of these, or a promise of it), else those of the app that the file
 * made. Throws whatever the file throws.
 */
export async function stackDocuments(path: string, cwd: string): Promise<ParsedText> {
  const made: unknown[] = [];
  Reflect.set(globalThis, appCollector, made);
  const loaded: unknown = await import(pathToFileURL(path).href);
  let exported = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : undefined;
  exported = await (typeof exported === 'function' ? exported() : exported);

  const file = displayPath(path, cwd);
  const apps = made.filter((root) => synthOf(root) !== undefined);
  const filled = apps.filter(holdsResources);
  const source = exported ?? (filled.length > 0 ? filled : apps.length > 0 ? apps : undefined);
  const inFolder = placesIn(cwd);
  const problems = source === undefined ? [] : treeProblems(source, made);
  if (problems.length > 0) {
    return {
      documents: [],
      problems: problems.map((problem) => ({ ...problem, position: inFolder(problem.position) })),
    };
  }
  const documents = source === undefined ? undefined : documentsOf(source, file);
  if (documents === undefined) {
    const hint = 'Export an App, a Stack, a list of manifests, or a function that returns one: `export default app`.';
    const what = source === undefined ? 'the stack file returns nothing' : 'the stack file exports no stack';
    return { documents: [], problems: [inputProblem(file, 'stack.nothing', what, hint)] };
  }
  return {
    documents: documents.map(({ value, locate }) => ({ value, locate: (pointer) => inFolder(locate(pointer)) })),
    problems: [],
  };
}

/** Thousands of places are in a few files. */
function placesIn(cwd: string): (place: Position) => Position {
  const shown = new Map<string, string>();
  return ({ file, line, column }) => {
    const path = shown.get(file) ?? displayPath(file, cwd);
    shown.set(file, path);
    return { file: path, line, column };
  };
}

/** Undefined: it is nothing that holds manifests. */
function documentsOf(source: unknown, file: string): readonly ManifestDocument[] | undefined {
  if (typeof source !== 'object' || source === null) return undefined;
  if (Array.isArray(source)) {
    const parts = source.map((part) => documentsOf(part, file));
    return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
  }
  const synth = synthOf(source);
  if (synth !== undefined) {
    // A stack stands for its app: what was made beside it is not left out.
    const documents: unknown = (synthOf(treeOf(source)) ?? synth)();
    return Array.isArray(documents) ? documents : undefined;
  }
  // A construct is part of an app, not a manifest: `node` is what every construct has.
  if (!('kind' in source) || 'node' in source) return undefined;
  const place = { file, line: 1, column: 1 };
  return [{ value: resolve([{ ...source }]).manifest, locate: () => place }];
}

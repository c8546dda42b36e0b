import module from 'node:module';
import { pathToFileURL } from 'node:url';
import { appCollector } from '../../../constructs/appCollector.ts';
import { resolve } from '../../../constructs/resolve.ts';
import type { ManifestDocument } from '../../manifest/document.ts';
import type { Position } from '../../manifest/manifest.ts';
import type { ParsedText } from '../../manifest/parsedText.ts';
import { contained } from './contained.ts';
import { displayPath } from './displayPath.ts';
import { inputProblem } from './inputProblem.ts';
import { withoutStandardOutput } from './quietly.ts';
import { stackFailure } from './stackFailure.ts';

/**
 * Runs a stack file, by Node's own type stripping, and takes its manifests: those of the default export (an app, a
 * stack, manifests, or a function that returns one of these, or a promise of it), else those of the apps that the file
 * made. What the file throws is a problem at the line that threw.
 */
export async function loadStack(path: string, cwd: string): Promise<ParsedText> {
  module.enableCompileCache?.();
  try {
    return await withoutStandardOutput(() => contained(() => run(path, cwd)));
  } catch (error) {
    return { documents: [], problems: [stackFailure(error, path, cwd)] };
  }
}

async function run(path: string, cwd: string): Promise<ParsedText> {
  const apps: unknown[] = [];
  Reflect.set(globalThis, appCollector, apps);
  let exported: unknown;
  try {
    const loaded: unknown = await import(pathToFileURL(path).href);
    exported = typeof loaded === 'object' && loaded !== null && 'default' in loaded ? loaded.default : undefined;
    if (typeof exported === 'function') exported = await exported();
    else if (exported instanceof Promise) exported = await exported;
  } finally {
    Reflect.deleteProperty(globalThis, appCollector);
  }
  const source = exported ?? (apps.length > 0 ? apps : undefined);
  const documents = source === undefined ? undefined : documentsOf(source, path, cwd);
  if (documents !== undefined) return { documents, problems: [] };
  const hint = 'Export an App, a Stack, a list of manifests, or a function that returns one: `export default app`.';
  const what = source === undefined ? 'the stack file returns nothing' : 'the stack file exports no stack';
  return { documents: [], problems: [inputProblem(displayPath(path, cwd), 'stack.nothing', what, hint)] };
}

/** Undefined: it is nothing that holds manifests. */
function documentsOf(source: unknown, path: string, cwd: string): readonly ManifestDocument[] | undefined {
  if (typeof source !== 'object' || source === null) return undefined;
  if (Array.isArray(source)) {
    const parts = source.map((part) => documentsOf(part, path, cwd));
    return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
  }
  if ('synth' in source && typeof source.synth === 'function') return synthesized(source.synth(), cwd);
  // A construct is part of an app, not a manifest: `node` is what every construct has.
  if (!('kind' in source) || 'node' in source) return undefined;
  const place = { file: displayPath(path, cwd), line: 1, column: 1 };
  return [{ value: resolve({ ...source }), locate: () => place }];
}

/** Of our own constructs, perhaps of another copy of this package. */
function synthesized(documents: unknown, cwd: string): readonly ManifestDocument[] | undefined {
  if (!Array.isArray(documents)) return undefined;
  return documents.map(({ value, locate }: ManifestDocument) => ({
    value,
    locate: (pointer): Position => {
      const place = locate(pointer);
      return { ...place, file: displayPath(place.file, cwd) };
    },
  }));
}

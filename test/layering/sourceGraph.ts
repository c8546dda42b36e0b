import { posix } from 'node:path';
import { lexed } from './lexed.ts';

export interface Import {
  /** One of our files, or the name of a package. */
  readonly to: string;
  readonly isPackage: boolean;
  /** Whether the import disappears at run time. */
  readonly isTypeOnly: boolean;
}

export interface SourceFile {
  readonly folder: string;
  readonly imports: readonly Import[];
  /** Without comments, and with a number instead of every text. */
  readonly code: string;
  readonly lines: number;
}

export type SourceGraph = ReadonlyMap<string, SourceFile>;

/** `texts`: the content of each file, by its path from the root of the repository. */
export function sourceGraph(texts: ReadonlyMap<string, string>): SourceGraph {
  return new Map([...texts].map(([path, text]) => [path, sourceFile(path, text)]));
}

function sourceFile(path: string, text: string): SourceFile {
  const folder = posix.dirname(path);
  const { code, texts } = lexed(text);
  const imports = [
    ...code.matchAll(/\b(?:(import|export)\s+(type\b)?[^;'()]*?\bfrom\s*|(?:import|require)\s*\(?\s*)'(\d+)'/g),
  ].map(([, , type, number]) => {
    const name = texts[Number(number)] ?? '';
    const isPackage = !name.startsWith('.');
    return { to: isPackage ? name : posix.join(folder, name), isPackage, isTypeOnly: type !== undefined };
  });
  return { folder, imports, code, lines: text.split('\n').length - 1 };
}

/** Every file that is loaded with the given ones, with the import path to it. */
export function loadedWith(graph: SourceGraph, paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return followed(graph, paths, ({ isTypeOnly }) => !isTypeOnly);
}

/** Every file that the given ones import, directly or indirectly, or only for its types, with the import path to it. */
export function importedWith(graph: SourceGraph, paths: readonly string[]): ReadonlyMap<string, readonly string[]> {
  return followed(graph, paths, () => true);
}

function followed(graph: SourceGraph, paths: readonly string[], isFollowed: (each: Import) => boolean) {
  const ways = new Map<string, readonly string[]>(paths.map((path) => [path, [path]]));
  for (const [path, way] of ways) {
    for (const each of graph.get(path)?.imports ?? []) {
      if (!each.isPackage && isFollowed(each) && !ways.has(each.to)) ways.set(each.to, [...way, each.to]);
    }
  }
  return ways;
}

import { present } from '../../base/json/present.ts';
import { requirements } from '../configuration/requirements.ts';
import { nativeSyntax } from '../nativeSyntax.ts';
import { providerSource } from '../provider.ts';
import { aligned } from './aligned.ts';
import { counterpartsOf } from './counterparts.ts';
import { type Lines, linesOf, sumOfLines } from './lines.ts';
import { configuredIn, migrateFile, type Renamed, type Source } from './migrateFile.ts';
import { importBlock, movedIn, removedBlock } from './moves.ts';
import type { Names } from './names.ts';
import type { Note } from './references.ts';
import { lineAt, type Parse } from './syntax.ts';

/** A file of a configuration; its path is relative to the folder of the root module. */
export interface ConfigurationFile {
  readonly path: string;
  readonly text: string;
}

/** Something that a person has to do. */
export interface Undone {
  readonly file: string;
  readonly line: number;
  readonly what: string;
}

export interface Migration {
  /** Those that change; without `before`: new ones. */
  readonly files: readonly { readonly path: string; readonly before?: string; readonly after: string }[];
  readonly resources: readonly { readonly from: string; readonly to: string }[];
  readonly undone: readonly Undone[];
  readonly lines: Lines;
}

/** Where a text is not what it should be. */
export interface WrongText {
  readonly file: string;
  readonly line: number;
  /** It was right before it was rewritten. */
  readonly isOurs: boolean;
}

export const movesFile = 'gantry-moves.tf';
const requirementFile = 'gantry-provider.tf';

/** A configuration of another provider as one of ours. Applied twice it is the same as once. */
export function migrate(
  files: readonly ConfigurationFile[],
  names: Names,
  { parse, version }: { readonly parse: Parse; readonly version: string },
): Migration | { readonly wrong: WrongText } {
  const sources: Source[] = [];
  for (const { path, text } of files) {
    const tree = parse(text);
    if ('wrongAt' in tree) return { wrong: { file: path, line: lineAt(text, tree.wrongAt), isOurs: false } };
    sources.push({ file: path, text, root: tree.root });
  }
  const undone: Undone[] = [];
  const after = new Map<string, string>();
  const lines: Lines[] = [];
  const resources: Renamed[] = [];
  const counterpart = counterpartsOf(names);
  for (const folder of new Set(sources.map(({ file }) => folderOf(file)))) {
    const module = sources.filter(({ file }) => folderOf(file) === folder);
    const { isRequired, configured } = configuredIn(module);
    const requirement = [
      ['source', providerSource],
      ['version', `~> ${version}`],
    ] as const;
    const setting = { names, counterpart, requirement, isRequired, configured };
    let isMigrated = false;
    for (const source of module) {
      const open = new Set<number>();
      const note: Note = (offset, what, end = offset) => {
        const line = lineAt(source.text, offset);
        undone.push({ file: source.file, line, what });
        for (let each = line; each <= lineAt(source.text, end); each += 1) open.add(each);
      };
      const migrated = migrateFile(source, setting, note);
      after.set(source.file, migrated.text);
      lines.push(linesOf(source.text, migrated.text, open));
      resources.push(...migrated.resources);
      isMigrated ||= migrated.isMigrated;
    }
    const isRequiredNow =
      isRequired ||
      module.some(
        ({ file, text }) => after.get(file) !== text && after.get(file)?.includes(`source = "${providerSource}"`),
      );
    if (isMigrated && !isRequiredNow) after.set(`${folder}${requirementFile}`, nativeSyntax([requirements(version)]));
  }
  for (const [file, moves] of movesOf(resources, sources, undone)) {
    const before = after.get(file);
    after.set(file, before === undefined ? moves : `${before.trimEnd()}\n\n${moves}`);
  }
  const changed: { path: string; before?: string; after: string }[] = [];
  for (const [path, text] of after) {
    const source = sources.find(({ file }) => file === path);
    if (text === source?.text) continue;
    const tree = parse(text);
    if ('wrongAt' in tree) return { wrong: { file: path, line: lineAt(text, tree.wrongAt), isOurs: true } };
    // What is not laid out as `terraform fmt` does it is left as it is.
    const isLaidOut = source === undefined || aligned(source.text, source.root) === source.text;
    const written = isLaidOut ? aligned(text, tree.root) : text;
    changed.push({ path, ...present({ before: source?.text }), after: written });
  }
  return {
    files: changed.sort((a, b) => (a.path < b.path ? -1 : 1)),
    resources: resources.map(({ from, label, counterpart }) => ({
      from: `${from}.${label}`,
      to: `${counterpart.type}.${label}`,
    })),
    undone: undone.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1)),
    lines: sumOfLines(lines),
  };
}

/** With `/` at its end; empty for the root. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** By file. Terraform takes `removed` blocks in each module, `import` blocks in the root module only. */
function movesOf(
  resources: readonly Renamed[],
  sources: readonly Source[],
  undone: Undone[],
): ReadonlyMap<string, string> {
  const root = resources.filter(({ source }) => folderOf(source.file) === '');
  const moves = new Map<string, string>();
  for (const renamed of resources) {
    const { source, block, counterpart, label, from } = renamed;
    const folder = folderOf(source.file);
    const moved = movedIn(sources.filter(({ file }) => folderOf(file) === folder));
    const told = (what: string) =>
      undone.push({ file: source.file, line: lineAt(source.text, block.node.start), what });
    const [before, address] = [`${from}.${label}`, `${counterpart.type}.${label}`];
    const texts: string[] = [];
    const isImported = moved.imported.has(before) || moved.imported.has(address);
    const made = !root.includes(renamed)
      ? { because: `${address} is in a module: import it as module.NAME.${address}` }
      : isImported
        ? { because: `${address} has an import block already: check its id` }
        : importBlock(renamed, root);
    if (typeof made === 'string') texts.push(made);
    else told(made.because);
    // In any case: what the state has and the configuration has not is destroyed.
    if (!moved.removed.has(before)) texts.push(removedBlock(renamed));
    else told(`${before} has a removed block already: check that it has destroy = false`);
    if (texts.length === 0) continue;
    const file = `${folder}${movesFile}`;
    moves.set(file, [...(moves.has(file) ? [moves.get(file)] : []), ...texts].join('\n'));
  }
  return moves;
}

import { compact, present } from '../../base/json/present.ts';
import { addTo } from '../../base/multimap.ts';
import { onceFor } from '../../base/once.ts';
import { TextPositions } from '../../manifest/textPosition.ts';
import { isGvcScoped } from '../../schema/record/kinds.ts';
import { requirement, requirements } from '../configuration/cliConfiguration.ts';
import { nativeSyntax } from '../configurationText.ts';
import { quoted } from '../names.ts';
import { providerSource, providerType } from '../provider.ts';
import { domainRoute } from '../schema/domainRoute.ts';
import { kindOfType, partTypes } from '../schema/names.ts';
import { counterpartsOf, destinationOf } from './counterparts.ts';
import { type Item, itemsOf, topBlocks } from './items.ts';
import { configuredIn, migrateFile, type Renamed, type Source } from './migrateFile.ts';
import type { Names } from './names.ts';
import { Edits, type Note } from './references.ts';
import { everyNode, innermost, type Parse, type Syntax, textOf, traversals } from './syntax.ts';

/** A file of a configuration; its path is relative to the folder of the root module. */
export interface ConfigurationFile {
  readonly path: string;
  readonly text: string;
}

/** Work that is left to the user. */
export interface RemainingWork {
  readonly file: string;
  readonly line: number;
  readonly what: string;
}

export interface Migration {
  /** Changed files; those without `before` are new. */
  readonly files: readonly { readonly path: string; readonly before?: string; readonly after: string }[];
  readonly resources: readonly { readonly from: string; readonly to: string }[];
  readonly undone: readonly RemainingWork[];
  readonly lines: Lines;
}

/** The place of a syntax error. */
export interface SyntaxFault {
  readonly file: string;
  readonly line: number;
  /** True if the text was correct before it was rewritten. */
  readonly isRewritten: boolean;
}

export const movesFileName = 'gantry-moves.tf';
const requirementFile = 'gantry-provider.tf';

/** A configuration of another provider as one of ours. Idempotent. */
export function migrate(
  files: readonly ConfigurationFile[],
  names: Names,
  { parse, version }: { readonly parse: Parse; readonly version: string },
): Migration | { readonly wrong: SyntaxFault } {
  const sources = new Map<string, Source>();
  for (const { path: file, text } of files) {
    const tree = parse(text);
    const positions = new TextPositions(text, file);
    if ('errorOffset' in tree)
      return { wrong: { file, line: positions.at(tree.errorOffset).line, isRewritten: false } };
    sources.set(file, { file, text, root: tree.root, positions });
  }
  const modules = Map.groupBy(sources.values(), ({ file }) => folderOf(file));
  const undone: RemainingWork[] = [];
  const migratedTexts = new Map<string, string>();
  const lines: Lines[] = [];
  const resources: Renamed[] = [];
  const counterpart = counterpartsOf(names);
  for (const [folder, module] of modules) {
    const { isRequired, configured } = configuredIn(module);
    const setting = { names, counterpart, requirement: requirement(version), isRequired, configured };
    let isMigrated = false;
    for (const source of module) {
      const openLines = new Set<number>();
      const note: Note = ({ start, end }, what) => {
        const [first, last] = [source.positions.at(start), source.positions.at(end)];
        undone.push({ file: source.file, line: first.line, what });
        for (let line = first.line; line <= last.line; line += 1) openLines.add(line);
      };
      const migrated = migrateFile(source, setting, note);
      migratedTexts.set(source.file, migrated.text);
      lines.push(countLines(source.text, migrated.text, openLines));
      resources.push(...migrated.resources);
      isMigrated ||= migrated.isMigrated;
    }
    const isRequiredNow =
      isRequired ||
      module.some(
        ({ file, text }) =>
          migratedTexts.get(file) !== text && migratedTexts.get(file)?.includes(`source = "${providerSource}"`),
      );
    if (isMigrated && !isRequiredNow)
      migratedTexts.set(`${folder}${requirementFile}`, nativeSyntax([requirements(version)]));
  }
  for (const [file, blocks] of movesOf(resources, modules, undone)) {
    const moves = blocks.join('\n');
    const before = migratedTexts.get(file);
    migratedTexts.set(file, before === undefined ? moves : `${before.trimEnd()}\n\n${moves}`);
  }
  const changed: { path: string; before?: string; after: string }[] = [];
  for (const [path, text] of migratedTexts) {
    const source = sources.get(path);
    if (text === source?.text) continue;
    const tree = parse(text);
    if ('errorOffset' in tree) {
      const { line } = new TextPositions(text, path).at(tree.errorOffset);
      return { wrong: { file: path, line, isRewritten: true } };
    }
    // A file that is not in the layout of `terraform fmt` is not aligned.
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

/** With a final `/`; empty for the root. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}

/** By file. Terraform accepts `removed` blocks in each module, `import` blocks only in the root module. */
function movesOf(
  resources: readonly Renamed[],
  modules: ReadonlyMap<string, readonly Source[]>,
  undone: RemainingWork[],
): ReadonlyMap<string, readonly string[]> {
  const rootResources = resources.filter(({ source }) => folderOf(source.file) === '');
  const root = new Map(rootResources.map((renamed) => [`${renamed.from}.${renamed.label}`, renamed]));
  const movedBy = onceFor((folder: string) => movedIn(modules.get(folder) ?? []));
  const moves = new Map<string, string[]>();
  for (const renamed of resources) {
    const { source, block, counterpart, label, from } = renamed;
    const folder = folderOf(source.file);
    const moved = movedBy(folder);
    const noteUndone = (what: string) =>
      undone.push({ file: source.file, line: source.positions.at(block.node.start).line, what });
    const [before, address] = [`${from}.${label}`, `${counterpart.type}.${label}`];
    const file = `${folder}${movesFileName}`;
    const isImported = moved.imported.has(before) || moved.imported.has(address);
    const made =
      folder !== ''
        ? { because: `${address} is in a module: import it as module.NAME.${address}` }
        : isImported
          ? { because: `${address} has an import block already: check its id` }
          : importBlock(renamed, root);
    if (typeof made === 'string') addTo(moves, file, made);
    else noteUndone(made.because);
    // Always, because Terraform destroys resources that are only in the state.
    if (!moved.removed.has(before)) addTo(moves, file, removedBlock(renamed));
    else noteUndone(`${before} has a removed block already: check that it has destroy = false`);
  }
  return moves;
}

interface Assignment {
  readonly name: Syntax;
  readonly value: Syntax;
}

/** The text with aligned `=` in successive assignments, as `terraform fmt` does. */
function aligned(text: string, root: Syntax): string {
  const edits = new Edits(text);
  for (const node of everyNode(root)) {
    let run: Assignment[] = [];
    const endRun = (): void => {
      const width = Math.max(...run.map(({ name }) => name.end - name.start));
      for (const each of run) pad(edits, text, each, width);
      run = [];
    };
    for (const each of node.children) {
      if (each.type === 'comment') continue; // on its own line it ends the group, like an empty line
      const found = assignmentIn(each, text);
      const last = run.at(-1);
      const isNext = last !== undefined && /^[^\n]*\n[ \t]*$/.test(text.slice(last.value.end, found?.name.start ?? 0));
      if (run.length > 0 && !isNext) endRun();
      if (found === undefined) continue;
      if (!textOf(found.value, text).includes('\n')) run.push(found);
      else {
        if (run.length > 0) endRun();
        pad(edits, text, found, found.name.end - found.name.start);
      }
    }
    if (run.length > 0) endRun();
  }
  return edits.whole();
}

function assignmentIn({ type, children }: Syntax, text: string): Assignment | undefined {
  const [name, value] = children;
  const isOne = (type === 'attribute' || type === 'object_elem') && name !== undefined && value !== undefined;
  return isOne && /^[ \t]*=[ \t]*$/.test(text.slice(name.end, value.start)) ? { name, value } : undefined;
}

function pad(edits: Edits, text: string, { name, value }: Assignment, width: number): void {
  const between = `${' '.repeat(width - (name.end - name.start))} = `;
  if (text.slice(name.end, value.start) !== between) edits.replace(name.end, value.start, between);
}

/** Counts of the lines of a configuration, without empty ones. */
interface Lines {
  readonly all: number;
  /** Unchanged lines, even if moved, ignoring indentation and alignment. */
  readonly same: number;
  /** Lines in which only names change. */
  readonly renamed: number;
}

/** One file before and after. `open`: numbers of lines that are left to the user. */
function countLines(before: string, after: string, open: ReadonlySet<number>): Lines {
  const lines = before.split('\n').map((line, at) => ({ line: normalisedLine(line), isOpen: open.has(at + 1) }));
  const written = lines.filter(({ line }) => line !== '');
  const rest = after.split('\n').map(normalisedLine);
  const left = unmatchedLines(
    compact(written, ({ line, isOpen }) => (isOpen ? undefined : line)),
    rest,
  );
  const same = written.filter(({ isOpen }) => !isOpen).length - left.of.length;
  const others = unmatchedLines(left.of.map(withoutTypeAndNames), left.from.map(withoutTypeAndNames)).of.length;
  return { all: written.length, same, renamed: left.of.length - others };
}

function sumOfLines(files: readonly Lines[]): Lines {
  const sum = (of: (lines: Lines) => number): number => files.reduce((total, each) => total + of(each), 0);
  return { all: sum(({ all }) => all), same: sum(({ same }) => same), renamed: sum(({ renamed }) => renamed) };
}

/** The lines of one text that are missing in the other, each as often as it occurs. */
function unmatchedLines(
  of: readonly string[],
  from: readonly string[],
): { readonly of: readonly string[]; readonly from: readonly string[] } {
  const counts = new Map<string, number>();
  for (const line of from) counts.set(line, (counts.get(line) ?? 0) + 1);
  const rest = of.filter((line) => {
    const count = counts.get(line) ?? 0;
    if (count > 0) counts.set(line, count - 1);
    return count === 0;
  });
  return { of: rest, from: [...counts].flatMap(([line, count]) => Array.from({ length: count }, () => line)) };
}

function normalisedLine(line: string): string {
  return line.trim().replaceAll(/[ \t]+/g, ' ');
}

/** The first label of a resource is a name of its provider. */
function withoutTypeAndNames(line: string): string {
  return withoutNames(line.replace(/^(resource|data) "[^"]*"/, '$1'));
}

/** With one character for each reference and each name; texts are unchanged except for references in them. */
function withoutNames(line: string): string {
  return line.replaceAll(
    /"(?:[^"\\$]|\\.|\$(?!\{)|\$\{[^}]*\})*"|[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*|\[[^\]]*\])*/g,
    (part) => (part.startsWith('"') ? part.replaceAll(/\$\{[^}]*\}/g, (read) => withoutNames(read.slice(1))) : '_'),
  );
}

/** The addresses in existing `import` and `removed` blocks. */
interface Moved {
  readonly imported: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

function movedIn(sources: readonly Source[]): Moved {
  const addresses = (sourceType: string, name: string): ReadonlySet<string> =>
    new Set(
      sources.flatMap(({ root, text }) =>
        topBlocks(root, text)
          .filter(({ type }) => type === sourceType)
          .flatMap(({ body }) => itemsOf(body, text))
          .filter((item) => item.name === name && item.value !== undefined)
          .map(({ value }) => (value === undefined ? '' : textOf(value, text).replace(/\[.*$/s, ''))),
      ),
    );
  return { imported: addresses('import', 'to'), removed: addresses('removed', 'from') };
}

/** Makes the other provider forget a resource without destroying it. */
function removedBlock({ from, label }: Renamed): string {
  return `removed {\n  from = ${from}.${label}\n  lifecycle {\n    destroy = false\n  }\n}\n`;
}

/** The imported resources, by their old address. */
type Imported = ReadonlyMap<string, Renamed>;

/** Makes this provider adopt the resource. */
function importBlock(renamed: Renamed, all: Imported): string | { readonly because: string } {
  const { counterpart, label, block, source } = renamed;
  const address = `${counterpart.type}.${label}`;
  const id = idOf(renamed, all);
  if (id === undefined) {
    const why =
      counterpart.type === partTypes.key ? 'the platform alone knows its name' : 'its name is not an attribute here';
    return { because: `write the import block of ${address}: ${why}` };
  }
  const items = itemsOf(block.body, source.text);
  const argumentValue = (name: string): Syntax | undefined => items.find((item) => item.name === name)?.value;
  const [each, count] = [argumentValue('for_each'), argumentValue('count')];
  const provider = argumentValue('provider');
  const lines = compact([
    each === undefined ? undefined : `for_each = ${textOf(each, source.text)}`,
    count === undefined ? undefined : `for_each = { for each in range(${textOf(count, source.text)}) : each => each }`,
    `to = ${address}${each === undefined ? (count === undefined ? '' : '[each.value]') : '[each.key]'}`,
    `id = ${count === undefined ? id : id.replaceAll(/\bcount\.index\b/g, 'each.value')}`,
    provider === undefined ? undefined : `provider = ${textOf(provider, source.text).replace(/^[\w-]+/, providerType)}`,
  ]);
  return `import {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
}

/** The id of an import, as an expression; undefined if the name is not set. */
function idOf({ counterpart, block, source }: Renamed, all: Imported): string | undefined {
  const { kind } = kindOfType(counterpart.type) ?? {};
  const items = itemsOf(block.body, source.text);
  const itemFor = (path: string): Item | undefined =>
    items.find(({ name, value }) => value !== undefined && destinationOf(counterpart, [name])?.path.join('.') === path);
  const written = (value: Syntax): string => resolved(value, source, all, 0);
  if (counterpart.type === partTypes.route) {
    const [domain, port, path] = [
      itemFor('domain'),
      itemFor(domainRoute.domainPort),
      itemFor('prefix') ?? itemFor('regex'),
    ];
    if (domain?.value === undefined) return undefined;
    const domainText = written(domain.value);
    const name = domainText.startsWith('"') ? domainText.replace(/^"[^"]*\//, '"') : `basename(${domainText})`; // the end of a link
    return joined(
      [
        name,
        ...[port, path].map((each, at) => (each?.value === undefined ? (['443', '/'][at] ?? '') : written(each.value))),
      ],
      ':',
    );
  }
  if (kind === undefined) return undefined;
  const [name, gvc] = [itemFor('name')?.value, isGvcScoped(kind) ? itemFor('gvc')?.value : undefined];
  const fixedName = counterpart.with?.get('name');
  if (name === undefined) return fixedName === undefined ? undefined : quoted(fixedName);
  return gvc === undefined ? written(name) : joined([written(gvc), written(name)], '/');
}

/** Joins expressions to one text. */
function joined(parts: readonly string[], separator: string): string {
  const inside = (part: string): string =>
    /^"[^"]*"$/s.test(part) ? part.slice(1, -1) : /^(\d+|\/)$/.test(part) ? part : `\${${part}}`;
  return `"${parts.map(inside).join(separator)}"`;
}

/** Replaces the name of another imported resource by its value, because an id must be known. */
function resolved(value: Syntax, source: Source, all: Imported, depth: number): string {
  const [reference, ...others] = [...traversals(value, source.text)];
  const text = textOf(value, source.text);
  const [label, attribute] = reference?.steps ?? [];
  const isSingleReference = reference !== undefined && others.length === 0 && reference.steps.length === 2;
  if (!isSingleReference || textOf(innermost(value), source.text) !== text || depth > 9) return text;
  const of = all.get(`${reference.name}.${label?.name}`);
  if (of === undefined) return text;
  const targetPath = destinationOf(of.counterpart, [attribute?.name ?? ''])?.path.join('.');
  const items = itemsOf(of.block.body, of.source.text);
  const name = items.find((item) => item.name === 'name')?.value;
  const isOne = !items.some((item) => item.name === 'count' || item.name === 'for_each');
  const isKnownName = (targetPath === 'name' || targetPath === 'link') && name !== undefined && isOne;
  return isKnownName ? resolved(name, of.source, all, depth + 1) : text;
}

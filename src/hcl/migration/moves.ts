import { isGvcScoped } from '../../schema/record/kinds.ts';
import { quoted } from '../names.ts';
import { kindOfType } from '../schema/typeNames.ts';
import { destinationOf } from './counterparts.ts';
import { type Item, itemsOf, topBlocks } from './items.ts';
import { localName, type Renamed, type Source } from './migrateFile.ts';
import { innermost, type Syntax, textOf, traversals } from './syntax.ts';

/** The addresses that `import` and `removed` blocks name already. */
export interface Moved {
  readonly imported: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

export function movedIn(sources: readonly Source[]): Moved {
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

/** Has the other provider forget a resource, and not destroy it. */
export function removedBlock({ from, label }: Renamed): string {
  return `removed {\n  from = ${from}.${label}\n  lifecycle {\n    destroy = false\n  }\n}\n`;
}

/** Has this provider take it over. */
export function importBlock(renamed: Renamed, all: readonly Renamed[]): string | { readonly because: string } {
  const { counterpart, label, block, source } = renamed;
  const address = `${counterpart.type}.${label}`;
  const id = idOf(renamed, all);
  if (id === undefined) return { because: `write the import block of ${address}: its name is not an attribute here` };
  const items = itemsOf(block.body, source.text);
  const said = (name: string): Syntax | undefined => items.find((item) => item.name === name)?.value;
  const [each, count] = [said('for_each'), said('count')];
  const provider = said('provider');
  const lines = [
    ...(each === undefined ? [] : [`for_each = ${textOf(each, source.text)}`]),
    ...(count === undefined ? [] : [`for_each = { for each in range(${textOf(count, source.text)}) : each => each }`]),
    `to = ${address}${each === undefined ? (count === undefined ? '' : '[each.value]') : '[each.key]'}`,
    `id = ${count === undefined ? id : id.replaceAll(/\bcount\.index\b/g, 'each.value')}`,
    ...(provider === undefined ? [] : [`provider = ${textOf(provider, source.text).replace(/^[\w-]+/, localName)}`]),
  ];
  return `import {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
}

/** The id of an import, as an expression; undefined where the name is not said. */
function idOf({ counterpart, block, source }: Renamed, all: readonly Renamed[]): string | undefined {
  const { kind } = kindOfType(counterpart.type) ?? {};
  if (kind === undefined) return undefined;
  const items = itemsOf(block.body, source.text);
  const saying = (path: string): Item | undefined =>
    items.find(({ name, value }) => value !== undefined && destinationOf(counterpart, [name])?.path.join('.') === path);
  const [name, gvc] = [saying('name')?.value, isGvcScoped(kind) ? saying('gvc')?.value : undefined];
  const told = counterpart.with?.get('name');
  if (name === undefined) return told === undefined ? undefined : quoted(told);
  const parts = [...(gvc === undefined ? [] : [gvc]), name].map((value) => resolved(value, source, all, 0));
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  return `"${parts.map((part) => (/^"[^"]*"$/s.test(part) ? part.slice(1, -1) : `\${${part}}`)).join('/')}"`;
}

/** The name of another resource that is imported too is what that one says: an id has to be known. */
function resolved(value: Syntax, source: Source, all: readonly Renamed[], depth: number): string {
  const [reference, ...others] = [...traversals(value, source.text)];
  const text = textOf(value, source.text);
  const [label, attribute] = reference?.steps ?? [];
  const isName =
    reference !== undefined && others.length === 0 && reference.steps.length === 2 && attribute?.name === 'name';
  if (!isName || textOf(innermost(value), source.text) !== text || depth > 9) return text;
  const of = all.find((each) => each.from === reference.name && each.label === label?.name);
  const name =
    of === undefined ? undefined : itemsOf(of.block.body, of.source.text).find((item) => item.name === 'name');
  const isOne =
    of !== undefined &&
    !itemsOf(of.block.body, of.source.text).some(({ name: meta }) => meta === 'count' || meta === 'for_each');
  return of === undefined || name?.value === undefined || !isOne
    ? text
    : resolved(name.value, of.source, all, depth + 1);
}

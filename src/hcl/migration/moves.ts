import { isGvcScoped } from '../../schema/record/kinds.ts';
import { quoted } from '../names.ts';
import { domainRoute } from '../schema/domainRoute.ts';
import { kindOfType, partTypes } from '../schema/typeNames.ts';
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
  if (id === undefined) {
    const why =
      counterpart.type === partTypes.key ? 'the platform alone knows its name' : 'its name is not an attribute here';
    return { because: `write the import block of ${address}: ${why}` };
  }
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
  const items = itemsOf(block.body, source.text);
  const saying = (path: string): Item | undefined =>
    items.find(({ name, value }) => value !== undefined && destinationOf(counterpart, [name])?.path.join('.') === path);
  const written = (value: Syntax): string => resolved(value, source, all, 0);
  if (counterpart.type === partTypes.route) {
    const [domain, port, path] = [
      saying('domain'),
      saying(domainRoute.domainPort),
      saying('prefix') ?? saying('regex'),
    ];
    if (domain?.value === undefined) return undefined;
    const said = written(domain.value);
    const name = said.startsWith('"') ? said.replace(/^"[^"]*\//, '"') : `basename(${said})`; // of a link its end
    return joined(
      [
        name,
        ...[port, path].map((each, at) => (each?.value === undefined ? (['443', '/'][at] ?? '') : written(each.value))),
      ],
      ':',
    );
  }
  if (kind === undefined) return undefined;
  const [name, gvc] = [saying('name')?.value, isGvcScoped(kind) ? saying('gvc')?.value : undefined];
  const told = counterpart.with?.get('name');
  if (name === undefined) return told === undefined ? undefined : quoted(told);
  return gvc === undefined ? written(name) : joined([written(gvc), written(name)], '/');
}

/** Expressions as one text. */
function joined(parts: readonly string[], separator: string): string {
  const inside = (part: string): string =>
    /^"[^"]*"$/s.test(part) ? part.slice(1, -1) : /^(\d+|\/)$/.test(part) ? part : `\${${part}}`;
  return `"${parts.map(inside).join(separator)}"`;
}

/** The name of another resource that is imported too is what that one says: an id has to be known. */
function resolved(value: Syntax, source: Source, all: readonly Renamed[], depth: number): string {
  const [reference, ...others] = [...traversals(value, source.text)];
  const text = textOf(value, source.text);
  const [label, attribute] = reference?.steps ?? [];
  const isAlone = reference !== undefined && others.length === 0 && reference.steps.length === 2;
  if (!isAlone || textOf(innermost(value), source.text) !== text || depth > 9) return text;
  const of = all.find((each) => each.from === reference.name && each.label === label?.name);
  const reads = of === undefined ? undefined : destinationOf(of.counterpart, [attribute?.name ?? ''])?.path.join('.');
  if (reads !== 'name' && reads !== 'link') return text;
  const name =
    of === undefined ? undefined : itemsOf(of.block.body, of.source.text).find((item) => item.name === 'name');
  const isOne =
    of !== undefined &&
    !itemsOf(of.block.body, of.source.text).some(({ name: meta }) => meta === 'count' || meta === 'for_each');
  return of === undefined || name?.value === undefined || !isOne
    ? text
    : resolved(name.value, of.source, all, depth + 1);
}

import { compact } from '../../base/json/present.ts';
import { isMap, type NestedAttribute } from '../attribute.ts';
import { keyText, quoted } from '../names.ts';
import { reservedNames } from '../schema/names.ts';
import { type Destination, destinationOf } from './counterparts.ts';
import { type Body, emptyAbove, type Item, indentAt, itemsOf, membersOf } from './items.ts';
import { type At, isListed, writeLinks } from './links.ts';
import type { Rule } from './names.ts';
import type { Rewriting } from './references.ts';
import { everyNode, innermost, literalText, type Syntax, textOf, traversals } from './syntax.ts';

/** The place of a body: in the other provider's resource, and in ours. */
interface Here {
  readonly old: readonly string[];
  readonly path: readonly string[];
}

/** An item that moves into a block which the other provider does not have. */
interface MovedItem {
  readonly item: Item;
  /** The blocks around it. */
  readonly blocks: readonly string[];
}

const step = '  ';

/** Renames the content of a resource's body, and moves it to its place in our resource. */
export function rewriteBody(rewriting: Rewriting, body: Body, here: Here = { old: [], path: [] }): void {
  const { text, note, counterpart } = rewriting;
  const items = itemsOf(body, text);
  const moved: MovedItem[] = [];
  const mapItems = new Map<string, { readonly found: Destination; readonly items: Item[] }>();
  const lists = new Map<string, Item>();
  const addedAttributes = new Map(counterpart.with);
  for (const item of items) {
    if (here.old.length === 0 && reservedNames.has(item.name)) continue;
    const old = [...here.old, item.name];
    const found = destinationOf(counterpart, old);
    if (found === undefined || (found !== null && !isInside(found.path, here.path))) {
      note(item.node, `${old.join('.')} has no counterpart in ${counterpart.type}: write its equivalent`);
      continue;
    }
    if (found === null) {
      comment(rewriting, item);
      note(item.node, `${old.join('.')} has no counterpart in ${counterpart.type}: it is a comment now`);
      continue;
    }
    for (const [name, said] of found.rule?.with ?? []) addedAttributes.set(name, said);
    const blocks = found.path.slice(here.path.length, -1);
    if (item.is !== 'attribute' && isMap(found.attribute)) {
      const others = mapItems.get(old.join('.'));
      if (others === undefined) {
        mapItems.set(old.join('.'), { found, items: [item] });
        if (blocks.length > 0) moved.push({ item, blocks });
      } else others.items.push(item);
      continue;
    }
    rewriteItem(rewriting, item, { old, found, items });
    const list = lists.get(found.path.join('.'));
    if (item.value !== undefined && isListed(found.attribute)) {
      if (list?.value !== undefined) {
        joinLists(rewriting, { value: list.value }, { item, value: item.value });
        continue;
      }
      lists.set(found.path.join('.'), item);
    }
    if (blocks.length > 0) moved.push({ item, blocks });
  }
  for (const { found, items: blocks } of mapItems.values()) blocksToMap(rewriting, blocks, found);
  if (moved.length > 0) moveIntoBlocks(rewriting, { body, items, moved, here });
  if (here.old.length === 0) addTexts(rewriting, body, { items, texts: addedAttributes, isWrapped: moved.length > 0 });
}

/** Two attributes that are one list here: the second is merged into the first, and its comments stay in place. */
function joinLists(
  { text, edits }: Rewriting,
  into: { readonly value: Syntax },
  { item, value }: { readonly item: Item; readonly value: Syntax },
): void {
  const first = edits.take(into.value.start, into.value.end);
  const second = edits.take(value.start, value.end);
  edits.replace(into.value.start, into.value.end, `concat(${first}, ${second})`);
  const lineStart = text.lastIndexOf('\n', item.node.start - 1) + 1;
  const isLine = text.slice(lineStart, item.node.start).trim() === '' && text[item.node.end] === '\n';
  edits.take(item.node.start, item.node.end);
  edits.replace(isLine ? lineStart : item.node.start, isLine ? item.node.end + 1 : item.node.end, '');
}

interface AddedAttributes {
  readonly items: readonly Item[];
  readonly texts: ReadonlyMap<string, string>;
  readonly isWrapped: boolean;
}

/** Adds, at the beginning, the attributes that our resource needs and the other provider's does not. */
function addTexts(rewriting: Rewriting, body: Body, { items, texts, isWrapped }: AddedAttributes): void {
  const said = new Set(items.map(({ name }) => destinationOf(rewriting.counterpart, [name])?.path.join('.')));
  const missing = [...texts].filter(([name]) => !said.has(name));
  if (missing.length === 0) return;
  const lines = missing.map(([name, value]) => `${name} = ${quoted(value)}`);
  insertAtStart(rewriting, body, lines, isWrapped);
}

function emptyBlock([name = '', ...inner]: readonly string[], indent: string): string {
  return inner.length === 0
    ? `${name} {}`
    : `${name} {\n${indent}${step}${emptyBlock(inner, `${indent}${step}`)}\n${indent}}`;
}

/** Adds lines at the beginning of a block. `isWrapped`: its content is on separate lines already. */
function insertAtStart({ text, edits }: Rewriting, body: Body, added: readonly string[], isWrapped = false): void {
  const outer = indentAt(text, body.close);
  const lines = added.map((line) => `\n${outer}${step}${line}`).join('');
  const inside = text.slice(body.open, body.close);
  if (inside.includes('\n') || isWrapped) {
    edits.insert(body.open, lines);
    return;
  }
  const rest = edits.take(body.open, body.close).trim();
  edits.replace(body.open, body.close, `${lines}${rest === '' ? '' : `\n${outer}${step}${rest}`}\n${outer}`);
}

function isInside(path: readonly string[], outer: readonly string[]): boolean {
  return path.length > outer.length && outer.every((each, at) => path[at] === each);
}

function comment({ edits }: Rewriting, { node: { start, end } }: Item): void {
  edits.replace(start, end, `# ${edits.take(start, end).replaceAll('\n', '\n# ')}`);
}

function rewriteItem(rewriting: Rewriting, item: Item, { old, found, items = [] }: At): void {
  const { edits, note, counterpart, text } = rewriting;
  const name = found.path.at(-1) ?? '';
  const { attribute } = found;
  if (attribute.computed === true && attribute.optional !== true) {
    note(item.node, `${old.join('.')} is set by the platform alone in ${counterpart.type}: remove it`);
    return;
  }
  if (item.is === 'attribute' && 'attributes' in attribute) {
    const blocks =
      item.value === undefined
        ? undefined
        : blocksOf(rewriting, name, item.value, { old, found, attribute, indent: indentAt(text, item.node.start) });
    if (blocks === undefined) {
      note(
        item.node,
        `${found.path.join('.')} is a block in ${counterpart.type}: write its attributes, or a dynamic block`,
      );
    } else edits.replace(item.node.start, item.node.end, blocks);
    return;
  }
  if (item.is !== 'attribute' && !('attributes' in attribute)) {
    note(item.node, `${found.path.join('.')} is an attribute in ${counterpart.type}, not a block`);
    return;
  }
  if (
    item.is !== 'attribute' &&
    'attributes' in attribute &&
    attribute.nesting === 'map' &&
    item.node.children[1]?.type !== 'string_lit'
  ) {
    note(item.nameAt, `${found.path.join('.')} blocks have a key in ${counterpart.type}: ${name} "KEY" { … }`);
  }
  rename(rewriting, item, name);
  if (item.value !== undefined) writeLinks(rewriting, item.value, { old, found, items });
  if (item.body === undefined) return;
  rewriteBody(rewriting, item.body, { old, path: found.path });
  const empty = found.rule?.block?.split('.');
  if (empty !== undefined) {
    const inside = `${indentAt(text, item.body.close)}${step}`;
    insertAtStart(rewriting, item.body, [emptyBlock(empty, inside)]);
  }
}

/** A `dynamic` block keeps the old name for its items. */
function rename({ text, edits }: Rewriting, { is, name: before, nameAt, node, body }: Item, name: string): void {
  if (before === name) return;
  edits.replace(nameAt.start, nameAt.end, name);
  if (is !== 'dynamic' || body === undefined || iteratorOf(node, text) !== undefined) return;
  const inside = node.children.find(({ type }) => type === 'block_start')?.end ?? nameAt.end;
  edits.insert(inside, `\n${indentAt(text, node.start)}${step}iterator = ${before}`);
}

function attributeIn(block: Syntax, name: string, text: string): Syntax | undefined {
  const body = block.children.find(({ type }) => type === 'body');
  const found = body?.children.find(
    ({ type, children: [key] }) => type === 'attribute' && key !== undefined && textOf(key, text) === name,
  );
  return found?.children[1];
}

function iteratorOf(dynamic: Syntax, text: string): string | undefined {
  const iterator = attributeIn(dynamic, 'iterator', text);
  return iterator === undefined ? undefined : textOf(iterator, text);
}

/** The place where a block is written. */
interface Indented extends At {
  readonly indent: string;
}

interface Nested extends Indented {
  readonly attribute: NestedAttribute;
}

/** Literal objects as blocks; undefined if a value is not a literal. */
function blocksOf(rewriting: Rewriting, name: string, value: Syntax, at: Nested): string | undefined {
  const { text } = rewriting;
  const { indent } = at;
  const inner = innermost(value);
  const objects = inner.type === 'tuple' ? inner.children.filter(({ type }) => type === 'expression') : [inner];
  if (inner.type === 'tuple' && at.attribute.nesting === 'single' && objects.length > 1) return undefined;
  if (inner.type !== 'tuple' && at.attribute.nesting !== 'single') return keyedBlocks(rewriting, name, value, at);
  if (objects.some((each) => membersOf(each, text) === undefined)) return undefined;
  return objects.map((each) => blockOf(rewriting, name, each, at)).join(`\n${indent}`);
}

/** `team = { … }` in a map becomes `NAME "team" { … }`; one object instead of a list is its only item. */
function keyedBlocks(rewriting: Rewriting, name: string, value: Syntax, at: Nested): string | undefined {
  const { text, edits } = rewriting;
  const { indent } = at;
  const members = membersOf(value, text);
  if (members === undefined) return undefined;
  if (at.attribute.nesting !== 'map') return blockOf(rewriting, name, value, at);
  const blocks: string[] = [];
  for (const each of members) {
    const path = at.found.rule?.value;
    if (!('name' in each)) blocks.push(textOf(each, text));
    else if (path !== undefined) {
      const head = `${name} ${JSON.stringify(each.name)}`;
      blocks.push(wrapInBlocks(head, path.split('.'), edits.take(each.value.start, each.value.end), indent));
    } else if (membersOf(each.value, text) === undefined) return undefined;
    else blocks.push(blockOf(rewriting, `${name} ${JSON.stringify(each.name)}`, each.value, at));
  }
  return blocks.join(`\n${indent}`);
}

/** A block for each step of the path, with the value in the innermost one. */
function wrapInBlocks(head: string, [name = '', ...inner]: readonly string[], value: string, indent: string): string {
  const inside = `${indent}${step}`;
  const content = inner.length === 0 ? `${name} = ${value}` : wrapInBlocks(name, inner, value, inside);
  return `${head} {\n${inside}${content}\n${indent}}`;
}

function blockOf(rewriting: Rewriting, head: string, value: Syntax, at: Indented): string {
  const { text, edits, note, counterpart } = rewriting;
  const { indent } = at;
  const inside = `${indent}${step}`;
  const lines: string[] = [];
  let lastEnd = -1;
  for (const each of membersOf(value, text) ?? []) {
    if (!('name' in each)) {
      const isBehind = lastEnd !== -1 && !text.slice(lastEnd, each.start).includes('\n');
      if (isBehind) lines.push(`${lines.pop() ?? ''} ${textOf(each, text)}`);
      else lines.push(textOf(each, text));
      continue;
    }
    lastEnd = each.node.end;
    const old = [...at.old, each.name];
    const found = destinationOf(counterpart, old);
    const written = (): string => edits.take(each.value.start, each.value.end);
    if (found === null) {
      note(each.node, `${old.join('.')} has no counterpart in ${counterpart.type}: it is a comment now`);
      lines.push(`# ${each.name} = ${written().replaceAll('\n', '\n# ')}`);
      continue;
    }
    const isHere =
      found !== undefined && isInside(found.path, at.found.path) && found.path.length === at.found.path.length + 1;
    if (!isHere) {
      note(each.node, `${old.join('.')} has no counterpart in ${counterpart.type}: write its equivalent`);
      lines.push(`${each.name} = ${written()}`);
      continue;
    }
    const name = found.path.at(-1) ?? each.name;
    const { attribute } = found;
    writeLinks(rewriting, each.value, { old, found });
    const blocks =
      'attributes' in attribute
        ? blocksOf(rewriting, name, each.value, { old, found, attribute, indent: inside })
        : undefined;
    if ('attributes' in attribute && blocks === undefined) {
      note(
        each.node,
        `${found.path.join('.')} is a block in ${counterpart.type}: write its attributes, or a dynamic block`,
      );
    }
    lines.push(blocks ?? `${name} = ${written()}`);
  }
  edits.take(value.start, value.end); // the lines contain all of it
  return lines.length === 0
    ? `${head} {}`
    : `${head} {\n${lines.map((line) => `${inside}${line}\n`).join('')}${indent}}`;
}

/** Converts blocks with a key and a value each to one map, at the place of the first one. */
function blocksToMap(rewriting: Rewriting, items: readonly Item[], { path, rule }: Destination): void {
  const { text, edits, note, counterpart } = rewriting;
  const [first] = items;
  if (first === undefined) return;
  const indent = indentAt(text, first.node.start);
  const entries = items.map((item) => entryOf(rewriting, item, rule));
  const wrong = items.find((_, at) => entries[at] === undefined);
  if (wrong !== undefined) {
    note(
      wrong.node,
      `${path.join('.')} is a map in ${counterpart.type}: only blocks with a key and a value become one`,
    );
    return;
  }
  const inside = `${indent}${step}`;
  const made = compact(entries);
  const literal = made.filter(({ of }) => of === undefined);
  const lines = literal.flatMap(({ comments, key, value }) => [...comments, `${key} = ${value}`]);
  const object = `{\n${lines.map((line) => `${inside}${line}\n`).join('')}${indent}}`;
  const loops = compact(made, ({ of, key, value, comments }) =>
    of === undefined ? undefined : { comments, text: `{ for ${of} : ${key} => ${value} }` },
  );
  const parts = compact([literal.length === 0 ? undefined : object, ...loops.map((loop) => loop.text)]);
  const comments = loops
    .flatMap((loop) => loop.comments)
    .map((each) => `${each}\n${indent}`)
    .join('');
  const map = parts.length === 1 ? (parts[0] ?? '') : `merge(${parts.join(', ')})`;
  for (const item of items.slice(1)) remove(rewriting, item);
  edits.take(first.start, first.end);
  const [before, after] = [text.slice(first.start, first.node.start), text.slice(first.node.end, first.end)];
  const above = first.is === 'dynamic' || before.trim() === '' ? before : indent; // its comments are in the map
  edits.replace(first.start, first.end, `${above}${comments}${path.at(-1) ?? ''} = ${map}${after}`);
}

/** Including the empty lines above, so that the remaining ones do not adjoin. */
function remove({ text, edits }: Rewriting, { start, end }: Item): void {
  edits.take(start, end);
  edits.replace(emptyAbove(text, start), end, '');
}

interface Entry {
  readonly comments: readonly string[];
  readonly key: string;
  readonly value: string;
  /** For a `dynamic` block: the names of an item, and the collection. */
  readonly of?: string;
}

const defaultNames = { key: ['name', 'key'], value: ['value'] };

function entryOf(rewriting: Rewriting, item: Item, rule: Rule | undefined): Entry | undefined {
  const { text, edits } = rewriting;
  const inside = item.body === undefined ? [] : itemsOf(item.body, text);
  const named = (names: readonly string[]) =>
    inside.find(({ name, value }) => names.includes(name) && value !== undefined);
  const key = named(rule?.key === undefined ? defaultNames.key : [rule.key]);
  const value = named(rule?.value === undefined ? defaultNames.value : [rule.value]);
  if (key?.value === undefined || value?.value === undefined || inside.length !== 2) return undefined;
  const above = text.slice(item.start, item.node.start).trim();
  const inner = [...everyNode(item.node)].filter(({ type }) => type === 'comment').map((each) => textOf(each, text));
  const comments = [...(above === '' ? [] : above.split('\n').map((line) => line.trim())), ...inner];
  if (item.is !== 'dynamic') {
    const literal = literalText(key.value, text);
    const expression = edits.take(key.value.start, key.value.end);
    const keyOfMap = literal === undefined ? `(${expression})` : keyText(literal);
    return { comments, key: keyOfMap, value: edits.take(value.value.start, value.value.end) };
  }
  const collection = attributeIn(item.node, 'for_each', text);
  if (collection === undefined) return undefined;
  const iterator = iteratorOf(item.node, text) ?? item.name;
  for (const { first, name, steps } of traversals(item.node, text)) {
    const [of] = steps;
    if (name === iterator && of?.is === 'name' && (of.name === 'key' || of.name === 'value')) {
      edits.replace(first.start, of.end, `${iterator}_${of.name}`);
    }
  }
  return {
    comments,
    key: edits.take(key.value.start, key.value.end),
    value: edits.take(value.value.start, value.value.end),
    of: `${iterator}_key, ${iterator}_value in ${edits.take(collection.start, collection.end)}`,
  };
}

interface BodyMoves {
  readonly body: Body;
  readonly items: readonly Item[];
  readonly moved: readonly MovedItem[];
  readonly here: Here;
}

/** Moves items into the blocks around them, at the place of the first one, or where such a block exists. */
function moveIntoBlocks(rewriting: Rewriting, { body, items, moved, here }: BodyMoves): void {
  const { text, edits, counterpart } = rewriting;
  const isOneLine = !text.slice(body.open, body.close).includes('\n');
  const outer = indentAt(text, body.close);
  for (const [block, group] of Map.groupBy(moved, ({ blocks: [outermost = ''] }) => outermost)) {
    const existing = items.find(
      (item) =>
        item.is === 'block' &&
        item.body !== undefined &&
        destinationOf(counterpart, [...here.old, item.name])?.path.join('.') === [...here.path, block].join('.'),
    );
    const [first] = group;
    if (first === undefined) continue;
    const indent = isOneLine ? `${outer}${step}` : indentAt(text, first.item.node.start);
    const inside = group.map(({ item, blocks }) => ({ item, blocks: blocks.slice(1) }));
    const content = blockText(rewriting, inside, indent);
    const removedItems = existing === undefined ? group.slice(1) : group;
    for (const { item } of removedItems) remove(rewriting, item);
    if (existing?.body !== undefined) {
      const at = text.lastIndexOf('\n', existing.body.close) + 1;
      edits.insert(Math.max(at, existing.body.open), content);
    } else if (isOneLine) {
      edits.replace(body.open, body.close, `\n${indent}${block} {\n${content}${indent}}\n${outer}`);
    } else edits.replace(first.item.start, first.item.end, `${indent}${block} {\n${content}${indent}}\n`);
  }
}

/** The lines inside of a block, with the empty lines that were between its items. */
function blockText(rewriting: Rewriting, moved: readonly MovedItem[], indent: string, more = step): string {
  const { text, edits } = rewriting;
  const inside = `${indent}${step}`;
  const parts: string[] = [];
  const done = new Set<MovedItem>();
  for (const each of moved) {
    if (done.has(each)) continue;
    const { item, blocks } = each;
    const [block] = blocks;
    const gap = parts.length > 0 && emptyAbove(text, item.start) < item.start ? '\n' : '';
    if (block !== undefined) {
      const group = moved.filter((other) => other.blocks[0] === block);
      for (const other of group) done.add(other);
      const inner = group.map((other) => ({ item: other.item, blocks: other.blocks.slice(1) }));
      parts.push(`${gap}${inside}${block} {\n${blockText(rewriting, inner, inside, `${more}${step}`)}${inside}}\n`);
      continue;
    }
    const isLine = text[item.end - 1] === '\n';
    if (!isLine) {
      parts.push(`${gap}${inside}${edits.take(item.start, item.end).trim()}\n`);
      continue;
    }
    parts.push(`${gap}${indented(edits.take(item.start, item.end), more)}`);
  }
  return parts.join('');
}

/** Whole lines with more indentation, except those of a heredoc, where blanks are content. */
function indented(text: string, more: string): string {
  let heredoc: string | undefined;
  const lines = text.split('\n').map((line) => {
    const isInside = heredoc !== undefined;
    if (line.trim() === heredoc) heredoc = undefined;
    else heredoc ??= /<<-?([\w-]+)\s*$/.exec(line)?.[1];
    return isInside || line === '' ? line : `${more}${line}`;
  });
  return lines.join('\n');
}

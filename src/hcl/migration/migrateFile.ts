import { present } from '../../base/json/present.ts';
import type { TextPositions } from '../../manifest/textPosition.ts';
import { providerType } from '../provider.ts';
import { providerBlock } from '../schema/providerBlock.ts';
import { type Counterpart, type Counterparts, destinationOf } from './counterparts.ts';
import { type Body, blocksIn, indentAt, itemsOf, type TopBlock, topBlocks } from './items.ts';
import type { Names } from './names.ts';
import { Edits, loopsIn, type Note, type Place, renameSteps } from './references.ts';
import { rewriteBody } from './resourceBody.ts';
import { everyNode, literalText, type Step, type Syntax, type Traversal, textOf, traversals } from './syntax.ts';

/** One file with its tree. */
export interface Source {
  readonly file: string;
  readonly text: string;
  readonly root: Syntax;
  readonly positions: TextPositions;
}

/** A resource with a new type. */
export interface Renamed {
  readonly source: Source;
  readonly block: TopBlock;
  readonly from: string;
  readonly counterpart: Counterpart;
  readonly label: string;
}

export interface Migrated {
  readonly text: string;
  readonly resources: readonly Renamed[];
  /** A resource or a data source was moved to the new provider. */
  readonly isMigrated: boolean;
}

/** The settings for all files of a folder. */
export interface Setting {
  readonly names: Names;
  readonly counterpart: Counterparts;
  /** The new provider's value in `required_providers`. */
  readonly requirement: Readonly<Record<string, string>>;
  /** Aliases of its existing blocks; `''` is the one without an alias. */
  readonly configured: ReadonlySet<string>;
  readonly isRequired: boolean;
}

export function migrateFile(source: Source, setting: Setting, note: Note): Migrated {
  const { text, root } = source;
  const { names, counterpart } = setting;
  const edits = new Edits(text);
  // These concern the other provider's resources in the state.
  const top = topBlocks(root, text).filter(({ type }) => type !== 'removed' && type !== 'moved');
  for (const block of top) renameReferences(block, { text, edits, note, counterpart });
  // A check may contain a data source.
  const scoped = top.filter(({ type }) => type === 'check').flatMap(({ body }) => blocksIn(body.node, text));
  const resources: Renamed[] = [];
  let isMigrated = false;
  for (const block of [...top, ...scoped]) {
    renameProvider(block, { text, edits, names, counterpart });
    const [type, label] = block.labels;
    if (block.type === 'provider' && type?.text === names.prefix) addProvider(block, { text, edits, note, setting });
    if (block.type === 'terraform' && !setting.isRequired) addRequirement(block, { text, edits, setting });
    if (block.type === 'module') addToModule(block, { text, edits, names });
    if (type === undefined || label === undefined || (block.type !== 'resource' && block.type !== 'data')) continue;
    if (!type.text.startsWith(`${names.prefix}_`)) continue;
    const found = counterpart(type.text, block.type);
    if (found === undefined) {
      note(block.node, `${type.text} has no counterpart: it stays with its provider`);
      continue;
    }
    isMigrated = true;
    edits.replace(type.node.start, type.node.end, found.type);
    for (const at of ownTraversals(block.body, text))
      renameSteps(at.steps, found, { edits, note, isFirst: at.isFirst });
    rewriteBody({ text, edits, note, counterpart: found, counterparts: counterpart }, block.body);
    if (block.type === 'resource')
      resources.push({ source, block, from: type.text, counterpart: found, label: label.text });
  }
  return { text: edits.whole(), resources, isMigrated };
}

interface FileEdits {
  readonly text: string;
  readonly edits: Edits;
}

/** Renames `provider = acme.eu` in a block. */
function renameProvider(
  block: TopBlock,
  { text, edits, names, counterpart }: FileEdits & Pick<Setting, 'names' | 'counterpart'>,
): void {
  const type = block.labels[0]?.text ?? '';
  const isMigrated =
    block.type === 'import' || counterpart(type, block.type === 'data' ? 'data' : 'resource') !== undefined;
  const meta = itemsOf(block.body, text).find(({ name }) => name === 'provider')?.node;
  if (meta === undefined || !isMigrated) return;
  for (const { first, name } of traversals(meta, text))
    if (name === names.prefix) edits.replace(first.start, first.end, providerType);
}

/** Arguments that name a resource without reading a value. */
const addressArguments = new Set(['depends_on', 'replace_triggered_by']);

/** A reference: as a whole, and its steps after a place in the resource. */
interface ReferencePath {
  readonly traversal: Traversal;
  readonly steps: readonly Step[];
  readonly from?: Place;
}

/** Renames addresses of the provider's resources and data sources everywhere. */
function renameReferences(
  block: TopBlock,
  { text, edits, note, counterpart }: FileEdits & Pick<Setting, 'counterpart'> & { readonly note: Note },
): void {
  const loops = [...loopsIn(block.node, text)];
  const wholeReferences = [...everyNode(block.node)].filter(
    ({ type, children: [key] }) => type === 'attribute' && key !== undefined && addressArguments.has(textOf(key, text)),
  );
  const readsValues = block.type !== 'import';
  /** Renames the attributes that are read below a place in a resource, and below its items in a `for`. */
  const read = (of: Counterpart, reference: ReferencePath, whole?: string): void => {
    const { traversal, steps, from } = reference;
    const { first, steps: all } = traversal;
    const place = renameSteps(steps, of, { edits, note, ...present({ from }) });
    const isOwn = steps.length === 1 && (from === undefined || from.old.length === 0);
    const textTemplate = isOwn ? of.rules.get(steps[0]?.name ?? '')?.text : undefined;
    if (textTemplate !== undefined && all.some(({ is }) => is === 'splat')) {
      note(first, `${steps[0]?.name} is a text here (${textTemplate}): write a for expression in place of [*]`);
    } else if (textTemplate !== undefined) {
      const [before = '', after = ''] = textTemplate.split('{}');
      edits.insert(first.start, `"${before}\${`);
      edits.insert((all.at(-1) ?? first).end, `}${after}"`);
    }
    if (place === undefined || !readsValues) return;
    if (wholeReferences.some(({ start, end }) => first.start >= start && first.end <= end)) return;
    const end = (all.at(-1) ?? first).end;
    const called = whole ?? text.slice(first.start, end);
    const loop = loops.find(({ collection }) => collection.start === first.start && collection.end === end);
    if (loop === undefined) {
      const isCounted = /\blength\($/.test(text.slice(0, first.start).trimEnd().slice(-8));
      if (!isCounted) note(first, `${called} is read as a whole: its attributes have other names now`);
    } else if (place.isSingle) {
      note(first, `${place.path.join('.')} is one block, not a list: read its attributes`);
    } else {
      for (const item of traversals(loop.node, text))
        if (item.name === loop.item) read(of, { traversal: item, steps: item.steps, from: place }, called);
    }
  };
  for (const traversal of traversals(block.node, text)) {
    const { first, name, steps } = traversal;
    const isData = name === 'data';
    const typeName = isData ? steps[0] : { name, start: first.start, end: first.end };
    const found = typeName === undefined ? undefined : counterpart(typeName.name, isData ? 'data' : 'resource');
    if (typeName === undefined || found === undefined) continue;
    edits.replace(typeName.start, typeName.end, isData ? `.${found.type}` : found.type);
    const rest = steps.slice(isData ? 2 : 1);
    const at = rest.findIndex((step) => step.is === 'name'); // `[each.key]` and the like select an instance
    read(found, { traversal, steps: at === -1 ? [] : rest.slice(at) });
  }
}

/** `self.…`, and the attributes that `lifecycle` names. */
function* ownTraversals(
  body: Body,
  text: string,
): Generator<{ readonly steps: readonly Step[]; readonly isFirst: boolean }> {
  if (body.node === undefined) return;
  for (const { name, steps } of traversals(body.node, text)) if (name === 'self') yield { steps, isFirst: false };
  const lifecycle = itemsOf(body, text).find(({ name, body: inside }) => name === 'lifecycle' && inside !== undefined);
  if (lifecycle?.body === undefined) return;
  const ignored = itemsOf(lifecycle.body, text).find(({ name }) => name === 'ignore_changes')?.value;
  if (ignored === undefined) return;
  for (const { first, name, steps } of traversals(ignored, text)) {
    if (name !== 'all')
      yield { steps: [{ is: 'name', name, start: first.start, end: first.end }, ...steps], isFirst: true };
  }
}

/** Adds the new provider block below the other one, which the state needs until its resources are released. */
function addProvider(
  block: TopBlock,
  { text, edits, note, setting: { names, configured } }: FileEdits & { readonly note: Note; readonly setting: Setting },
): void {
  const items = itemsOf(block.body, text);
  const alias = items.find(({ name }) => name === 'alias');
  if (configured.has(literalText(alias?.value, text) ?? '')) return;
  const counterpart: Counterpart = {
    type: 'the provider block',
    attributes: providerBlock.attributes,
    rules: names.provider,
  };
  const lines = items.flatMap((item) => {
    if (item.name === 'alias') return [textOf(item.node, text)];
    const found = destinationOf(counterpart, [item.name]);
    if (found === null) return [];
    if (found === undefined || item.value === undefined || found.path.length !== 1) {
      note(item.node, `${item.name} of the provider block has no counterpart`);
      return [];
    }
    return [`${found.path.join('.')} = ${textOf(item.value, text)}`];
  });
  const inside = lines.length === 0 ? '' : `\n${lines.map((line) => `  ${line}\n`).join('')}`;
  edits.insert(block.node.end, `\n\nprovider "${providerType}" {${inside}}`);
}

/** Adds `gantry = { … }` below the requirement of the other provider. */
function addRequirement(
  block: TopBlock,
  { text, edits, setting: { names, requirement } }: FileEdits & { readonly setting: Setting },
): void {
  const required = itemsOf(block.body, text).find(({ name }) => name === 'required_providers');
  const items = required?.body === undefined ? [] : itemsOf(required.body, text);
  const other = items.find(({ name }) => name === names.prefix);
  if (other === undefined) return;
  const indent = indentAt(text, other.node.start);
  const lines = Object.entries(requirement)
    .map(([name, value]) => `${indent}  ${name} = "${value}"\n`)
    .join('');
  edits.insert(other.node.end, `\n${indent}${providerType} = {\n${lines}${indent}}`);
}

/** Extends `providers = { acme = acme.eu }` by `gantry = gantry.eu`. */
function addToModule(block: TopBlock, { text, edits, names }: FileEdits & { readonly names: Names }): void {
  const providers = itemsOf(block.body, text).find(({ name }) => name === 'providers')?.node;
  if (providers === undefined || new RegExp(`\\b${providerType}\\b`).test(textOf(providers, text))) return;
  const other = new RegExp(`\\b${names.prefix}(\\.\\w+)?\\s*=\\s*${names.prefix}((?:\\.\\w+)?)\\b`);
  const found = other.exec(textOf(providers, text));
  if (found === null) return;
  const at = providers.start + found.index;
  const separator = textOf(providers, text).includes('\n') ? `\n${indentAt(text, at)}` : ', ';
  edits.insert(at, `${providerType}${found[1] ?? ''} = ${providerType}${found[2] ?? ''}${separator}`);
}

/** Whether the provider is required here, and which of its configurations exist. */
export function configuredIn(sources: readonly Source[]): Pick<Setting, 'configured' | 'isRequired'> {
  const configured = new Set<string>();
  let isRequired = false;
  for (const { root, text } of sources) {
    for (const { type, labels, body } of topBlocks(root, text)) {
      const items = itemsOf(body, text);
      if (type === 'provider' && labels[0]?.text === providerType) {
        configured.add(literalText(items.find(({ name }) => name === 'alias')?.value, text) ?? '');
      }
      const required = items.find(({ name }) => type === 'terraform' && name === 'required_providers')?.body;
      isRequired ||= required !== undefined && itemsOf(required, text).some(({ name }) => name === providerType);
    }
  }
  return { configured, isRequired };
}

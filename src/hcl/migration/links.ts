import type { Attribute } from '../attribute.ts';
import { quoted } from '../names.ts';
import { type Destination, destinationOf } from './counterparts.ts';
import type { Item } from './items.ts';
import type { Rewriting } from './references.ts';
import { innermost, literalText, type Step, type Syntax, textOf, traversals } from './syntax.ts';

export interface At {
  readonly old: readonly string[];
  readonly found: Destination;
  /** The neighbouring items. */
  readonly items?: readonly Item[];
}

export function isListed(attribute: Attribute): boolean {
  return 'type' in attribute && Array.isArray(attribute.type) && attribute.type[0] !== 'map';
}

/** Converts links and names according to the table. */
export function writeLinks(rewriting: Rewriting, value: Syntax, { old, found, items = [] }: At): void {
  const { text, note, counterpart } = rewriting;
  if (found.rule?.name === true) toName(rewriting, value);
  const template = found.rule?.link;
  if (template === undefined) return;
  const said = (name: string): string | undefined => literalText(items.find((each) => each.name === name)?.value, text);
  const unsaid = [...template.matchAll(/\{(\w+)\}/g)].some(([, name = '']) => said(name) === undefined);
  const prefix = unsaid ? undefined : template.replaceAll(/\{(\w+)\}/g, (_, name: string) => said(name) ?? '');
  if (!toLinks(rewriting, value, { prefix, isList: isListed(found.attribute) }))
    note(value, `${old.join('.')}: write links in ${counterpart.type} (${template}NAME)`);
}

/**
 * Names that become links: `"db"` becomes `"//secret/db"`, or the link of a migrated resource if the name is read from
 * one. `prefix`: the text before a name; if undefined, only names of migrated resources can be converted, and the
 * result is false if another one remains.
 */
function toLinks(rewriting: Rewriting, value: Syntax, { prefix, isList }: Links): boolean {
  const { edits } = rewriting;
  const inner = innermost(value);
  if (inner.type === 'tuple') {
    const elements = inner.children.filter(({ type }) => type === 'expression');
    return elements.map((each) => toLink(rewriting, each, prefix)).every((isDone) => isDone);
  }
  if (textOf(value, rewriting.text) === 'null') return true;
  if (!isList) return toLink(rewriting, value, prefix);
  if (prefix === undefined) return false;
  edits.insert(value.start, '[for name in ');
  edits.insert(value.end, ` : "${prefix}\${name}"]`);
  return true;
}

interface Links {
  readonly prefix: string | undefined;
  readonly isList: boolean;
}

function toLink(rewriting: Rewriting, value: Syntax, prefix: string | undefined): boolean {
  const { text, edits } = rewriting;
  const written = textOf(value, text);
  if (/^"\/|^<</.test(written)) return true; // already a link, or not a name
  const read = lastRead(rewriting, value);
  if (read !== undefined) {
    if (read.is === 'name') replaceStep(rewriting, read.step, '.link');
    return true;
  }
  if (prefix === undefined) return false;
  if (literalText(value, text) !== undefined || written.startsWith('"')) {
    edits.insert(innermost(value).start + 1, prefix);
    return true;
  }
  edits.insert(value.start, `"${prefix}\${`);
  edits.insert(value.end, '}"');
  return true;
}

/** A link that becomes a name: if it is the link of a migrated resource, its name is read. */
function toName(rewriting: Rewriting, value: Syntax): void {
  const { text, edits } = rewriting;
  const read = lastRead(rewriting, value);
  const literal = literalText(value, text);
  if (read !== undefined) replaceStep(rewriting, read.step, '.name');
  else if (literal !== undefined)
    edits.replace(value.start, value.end, quoted(literal.slice(literal.lastIndexOf('/') + 1)));
  else {
    edits.insert(value.start, 'basename(');
    edits.insert(value.end, ')');
  }
}

/** Also replaces a step that is already renamed. */
function replaceStep({ edits }: Rewriting, { start, end }: Step, written: string): void {
  edits.take(start, end);
  edits.replace(start, end, written);
}

/** The last step of an expression that only reads the name or the link of a migrated resource. */
function lastRead(
  { text, counterparts }: Rewriting,
  value: Syntax,
): { readonly is: 'name' | 'link'; readonly step: Step } | undefined {
  const [reference, ...others] = [...traversals(value, text)];
  const step = reference?.steps.at(-1);
  if (reference === undefined || step === undefined || others.length > 0) return undefined;
  if (reference.first.start !== value.start || step.end !== value.end) return undefined;
  const isData = reference.name === 'data';
  const [type] = isData ? reference.steps.map(({ name }) => name) : [reference.name];
  const counterpart = type === undefined ? undefined : counterparts(type, isData ? 'data' : 'resource');
  const names = reference.steps.slice(isData ? 2 : 1).filter(({ is }) => is === 'name');
  if (counterpart === undefined || names.length !== 1) return undefined;
  const to = destinationOf(counterpart, [step.name])?.path.join('.');
  return to === 'name' || to === 'link' ? { is: to, step } : undefined;
}

import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  objectAt,
  own as ownField,
  stringAt,
} from '../../base/json/json.ts';
import { coerce } from '../../kinds/normalise.ts';
import { shapeOf, withoutPlatformValues } from '../../kinds/shapeOf.ts';
import { userTags } from '../../manifest/model/ownTags.ts';
import { declarable } from '../../patch/declarable.ts';
import { reconcile } from '../../patch/reconcile.ts';
import type { StoredForms } from '../../patch/recorder.ts';
import { isGvcScoped, type KnownKind } from '../../schema/record/kinds.ts';
import { isProtected, protectedTag } from '../../schema/record/protection.ts';
import { contextOf, linkOf, type Ref, refTo } from '../../schema/record/ref.ts';
import { type Form, isBlockForm, isLeaf, type Member, type ObjectForm } from '../schema/form.ts';
import { choiceOf, layoutOf } from '../schema/kindLayout.ts';
import { hasWriteOnly, instructions, ownNames, writeOnly } from '../schema/ownAttributes.ts';
import { attributeOf, isListValue, isObjectValue, type ObjectValue, textAt, unknown, type Value } from '../value.ts';
import { manifestOf, withoutValues } from './manifestOf.ts';
import { answeredLeaf, objectValue, type View } from './project.ts';

export interface ReadOptions {
  readonly org: string;
  /** The GVC of a GVC-scoped record that does not contain it. */
  readonly gvc?: string;
  /**
   * How the values were written: the last state in a refresh, the plan after an apply. A value that means the same
   * keeps its written form, and an omitted one stays omitted as long as nothing of it has to be changed. Absent after
   * an import: everything is shown except optional blocks, with links in the form of a configuration.
   */
  readonly hint?: ObjectValue;
  /** How the platform stores written values, if known for this record. */
  readonly stored?: StoredForms | undefined;
}

/** The attributes of a live record: the state of a resource. */
export function stateOf(kind: KnownKind, record: JsonObject, options: ReadOptions): ObjectValue {
  const { lastingAnswers } = layoutOf(kind);
  const read = attributesOf(kind, record, {
    ...options,
    answered: lastingAnswers,
    shortLinks: options.hint === undefined,
  });
  if (options.hint !== undefined) return read;
  const context = contextOf(refOfRecord(kind, record, options), options.org);
  const { record: least } = declarable(shapeOf(kind, record), withoutPlatformValues(kind, record), context);
  return importedState(layoutOf(kind).record, read, configOf(kind, least, options));
}

interface ShowOptions extends ReadOptions {
  readonly answered: readonly Member[];
  readonly shortLinks: boolean;
}

function attributesOf(kind: KnownKind, record: JsonObject, options: ShowOptions): ObjectValue {
  const { hint, answered, shortLinks, stored } = options;
  const live = coerce(kind, record);
  const ref = refOfRecord(kind, live, options);
  const context = contextOf(ref, options.org);
  const shown = { ...live, tags: shownTags(live, hint) };
  const written = hint === undefined ? {} : manifestOf(kind, hint).record;
  const layout = layoutOf(kind);
  const target =
    hint === undefined ? shown : reconcile(shapeOf(kind, shown), shown, written, { context, stored }).target;
  const view: View = { context, mode: 'read', unknown: 'nothing', isMatched: true, shortLinks, enclosing: [] };
  return {
    ...objectValue(layout.record, shown, { target, hint }, view),
    ...(isGvcScoped(kind) ? { [ownNames.gvc]: ref.gvc ?? null } : {}),
    ...hintedInstructions(kind, hint),
    [ownNames.protected]: isProtected(live),
    [ownNames.link]: linkOf(ref, options.org),
    ...Object.fromEntries(answered.map((member) => [member.name, answeredValue(member, live, hint)])),
  };
}

/**
 * A manifest as the configuration of a resource: omitted fields are null. `protect` becomes `protected`; other
 * instructions have no counterpart.
 */
export function configOf(kind: KnownKind, record: JsonObject, options: Omit<ReadOptions, 'hint'>): ObjectValue {
  const ref = refOfRecord(kind, record, options);
  const view: View = {
    context: contextOf(ref, options.org),
    mode: 'write',
    unknown: 'nothing',
    isMatched: true,
    shortLinks: false,
    enclosing: [],
  };
  const layout = layoutOf(kind);
  const { [protectedTag]: _protected, ...tags } = objectAt(record, 'tags');
  const shown = Object.hasOwn(record, 'tags') ? { ...record, tags } : record;
  return {
    ...objectValue(layout.record, shown, { target: shown, hint: undefined }, view),
    ...(isGvcScoped(kind) ? { [ownNames.gvc]: ref.gvc ?? null } : {}),
    ...hintedInstructions(kind),
    ...(isProtected(record) ? { [ownNames.protected]: true } : {}),
    [ownNames.link]: null,
    ...Object.fromEntries(layout.lastingAnswers.map(({ name }) => [name, null])),
  };
}

/** The attributes of a data source: the record, without a resource's instructions to the provider. */
export function dataOf(kind: KnownKind, record: JsonObject, options: Omit<ReadOptions, 'hint'>): ObjectValue {
  const own = instructions(kind);
  const all = Object.entries(
    attributesOf(kind, record, { ...options, answered: layoutOf(kind).allAnswers, shortLinks: false }),
  );
  const names = new Set([...Object.keys(own), writeOnly.data, writeOnly.version]);
  return Object.fromEntries(all.filter(([name]) => !names.has(name)));
}

function refOfRecord(kind: KnownKind, record: JsonObject, { gvc, hint }: ReadOptions): Ref {
  const name = stringAt(record, 'name') ?? textAt(hint, 'name') ?? '';
  const found = gvc ?? stringAt(record, 'gvc') ?? textAt(hint, ownNames.gvc);
  return refTo(kind, name, isGvcScoped(kind) ? found : undefined);
}

/** The tags that were written, without those of others. After an import those that a user wrote. */
function shownTags(record: JsonObject, hint: ObjectValue | undefined): JsonObject {
  if (hint === undefined) return userTags(record);
  const written = attributeOf(hint, 'tags');
  if (written === unknown) return userTags(record);
  const tags = objectAt(record, 'tags');
  const names = isObjectValue(written) ? Object.keys(written).filter((name) => Object.hasOwn(tags, name)) : [];
  return Object.fromEntries(names.map((name) => [name, tags[name] ?? null]));
}

/** The instructions, which are only in the configuration. */
function hintedInstructions(kind: KnownKind, hint: ObjectValue = {}): ObjectValue {
  const names = [...Object.keys(instructions(kind)), ...(hasWriteOnly(kind) ? [writeOnly.version] : [])];
  return {
    ...Object.fromEntries(names.map((name) => [name, attributeOf(hint, name)])),
    ...(hasWriteOnly(kind)
      ? { [writeOnly.data]: withoutValues(choiceOf(kind)?.form, attributeOf(hint, writeOnly.data)) }
      : {}),
  };
}

/** A value that is shown once keeps its old value. */
function answeredValue({ name, field, form, isShownOnce }: Member, record: JsonObject, hint?: ObjectValue): Value {
  const json = ownField(record, field);
  const said = hint === undefined ? null : attributeOf(hint, name);
  if (said === unknown) return answeredForm(form, json, null);
  return json === undefined && isShownOnce === true ? said : answeredForm(form, json, said);
}

function answeredForm(form: Form, json: JsonValue | undefined, hint: Value): Value {
  if (isLeaf(form)) return answeredLeaf(form, json, hint);
  if (form.is === 'object') {
    const said = isObjectValue(hint) ? hint : undefined;
    const live = isObject(json) ? json : {};
    const members = form.members.map((member) => [member.name, answeredValue(member, live, said)] as const);
    return isObject(json) || members.some(([, value]) => value !== null) ? Object.fromEntries(members) : null;
  }
  return form.is === 'list' && isArray(json) ? json.map((item) => answeredForm(form.item, item, null)) : null;
}

/**
 * The configuration of an imported resource: equal to what an import reads. `written`, the same record with the fewest
 * fields, decides which fields are omitted because they have their value anyway.
 */
export function importedConfig(form: ObjectForm, read: ObjectValue, written: ObjectValue): ObjectValue {
  return leftOut(form, read, written, () => true);
}

/** The state of an imported resource: Terraform computes no blocks, so an omitted one is absent. */
function importedState(form: ObjectForm, read: ObjectValue, written: ObjectValue): ObjectValue {
  return { ...read, ...leftOut(form, read, written, isBlockForm) };
}

function leftOut(
  form: ObjectForm,
  read: ObjectValue,
  written: ObjectValue,
  mayBe: (form: Form) => boolean,
): ObjectValue {
  const imported = (of: Form, value: Value, meant: Value): Value => {
    switch (of.is) {
      case 'object':
        return isObjectValue(value) && isObjectValue(meant) ? leftOut(of, value, meant, mayBe) : value;
      case 'list': {
        const isSameList = isListValue(value) && isListValue(meant) && value.length === meant.length;
        return isSameList ? value.map((each, index) => imported(of.item, each, meant[index] ?? null)) : value;
      }
      case 'map':
        return isObjectValue(value) && isObjectValue(meant)
          ? Object.fromEntries(
              Object.entries(value).map(([key, each]) => [key, imported(of.value, each, attributeOf(meant, key))]),
            )
          : value;
      default:
        return value;
    }
  };
  const members = form.members.map(({ name, form: member, presence }) => {
    const meant = attributeOf(written, name);
    const isLeftOut = presence === 'filled' && meant === null && mayBe(member);
    return [name, isLeftOut ? null : imported(member, attributeOf(read, name), meant)] as const;
  });
  const { others } = form;
  return Object.fromEntries(
    others === undefined ? members : [...members, [others, attributeOf(read, others)] as const],
  );
}

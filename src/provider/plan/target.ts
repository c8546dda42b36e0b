import { type JsonObject, objectAt, own as ownField } from '../../base/json/json.ts';
import { choiceOf } from '../../hcl/schema/kindLayout.ts';
import { ownNames, writeOnly } from '../../hcl/schema/ownAttributes.ts';
import {
  attributeOf,
  holdsUnknown,
  isListValue,
  isObjectValue,
  type ObjectValue,
  textAt,
  unknown,
  type Value,
} from '../../hcl/value.ts';
import { manifestOf } from '../../hcl/values/manifestOf.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import { reconcile } from '../../patch/reconcile.ts';
import { isGvcScoped, type WrittenKind } from '../../schema/record/kinds.ts';
import { contextOf, type RecordContext, type Ref, refTo } from '../../schema/record/ref.ts';
import { knownForms, type StoredKnowledge, withDefaults } from './storedValues.ts';

/** The settings of the provider block for all resources. */
export interface Surroundings {
  readonly org: string;
  /** The GVC of resources without one. */
  readonly gvc?: string;
}

/** The desired record of a resource. */
export interface Target {
  readonly ref: Ref;
  readonly context: RecordContext;
  /** The record in the last state; empty before it is created. */
  readonly before: JsonObject;
  /** The declared values, without a write-only value, which is only written when its version changes. */
  readonly desired: JsonObject;
  /**
   * The future value of `before`: the same object if nothing has to be changed. A new record includes the platform's
   * known defaults.
   */
  readonly after: JsonObject;
  /** Whether a secret value that is only in the configuration has to be written. */
  readonly writesSecret: boolean;
}

/** The same decision as in `gantry plan`, from the known values. */
export function targetOf(
  kind: WrittenKind,
  config: ObjectValue,
  prior: ObjectValue | null,
  surroundings: Surroundings & StoredKnowledge,
): Target {
  const known = holdsUnknown(config) ? withKnown(config, prior) : config;
  const ref = refOf(kind, isObjectValue(known) ? known : config, prior, surroundings);
  const context = contextOf(ref, surroundings.org);
  const before = prior === null ? {} : manifestOf(kind, prior).record;
  const { record } = manifestOf(kind, isObjectValue(known) ? known : config);
  const { desired, writesSecret } = withoutSecret(kind, record, config, prior);
  const declared = { ...desired, tags: objectAt(desired, 'tags') };
  const shape = shapeOf(kind, prior === null ? declared : before);
  const after =
    prior === null
      ? withDefaults(ref.kind, desired, surroundings.capabilities)
      : reconcile(shape, before, declared, { context, stored: knownForms(ref, before, context, surroundings) }).target;
  return { ref, context, before, desired, after, writesSecret };
}

/** Replaces unknown values by the prior ones, because it is not known whether they change. */
function withKnown(config: Value, prior: Value): Value {
  if (config === unknown) return prior;
  if (isListValue(config)) {
    const old = isListValue(prior) ? prior : [];
    return config.map((item, index) => withKnown(item, old[index] ?? null));
  }
  if (!isObjectValue(config)) return config;
  const old = isObjectValue(prior) ? prior : {};
  return Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name, withKnown(value, attributeOf(old, name))]),
  );
}

export function refOf(kind: WrittenKind, config: ObjectValue, prior: ObjectValue | null, { gvc }: Surroundings): Ref {
  const name = textAt(config, 'name') ?? textAt(prior, 'name') ?? '';
  const isOpen = attributeOf(config, ownNames.gvc) === unknown;
  const inGvc = isOpen ? undefined : (textAt(config, ownNames.gvc) ?? gvc ?? textAt(prior, ownNames.gvc));
  return refTo(kind, name, isGvcScoped(kind) ? inGvc : undefined);
}

/**
 * A value that is never stored is written when the resource is new, and when its version changes. An undeclared one is
 * kept.
 */
function withoutSecret(
  kind: WrittenKind,
  record: JsonObject,
  config: ObjectValue,
  prior: ObjectValue | null,
): { readonly desired: JsonObject; readonly writesSecret: boolean } {
  const member = choiceOf(kind);
  if (member === undefined || attributeOf(config, member.name) !== null)
    return { desired: record, writesSecret: false };
  const isWriteOnly = attributeOf(config, writeOnly.data) !== null;
  if (prior === null) return { desired: record, writesSecret: isWriteOnly };
  const writesSecret = isWriteOnly && attributeOf(config, writeOnly.version) !== attributeOf(prior, writeOnly.version);
  const { [member.field]: _secret, ...desired } = record;
  const data = ownField(manifestOf(kind, prior).record, member.field);
  return { desired: data === undefined ? desired : { ...desired, [member.field]: data }, writesSecret };
}

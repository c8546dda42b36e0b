import type { KnownKind } from '../../schema/record/kinds.ts';
import { attributeOf, isObjectValue, type ObjectValue, type Value } from '../model/value.ts';
import { layoutOf } from '../schema/kindLayout.ts';
import { writeOnly } from '../schema/ownAttributes.ts';

/**
 * The configuration without values of a secret that say nothing: Terraform generates `data = { opaque = null, … }`, as it
 * does not write what is sensitive.
 */
export function withoutEmptyChoice(kind: KnownKind, config: ObjectValue): ObjectValue {
  const empty = emptyChoices(kind, config);
  return empty.length === 0 ? config : { ...config, ...Object.fromEntries(empty.map((name) => [name, null])) };
}

/** The plan with such a value as it is written, where there is no other: Terraform allows no null for it. */
export function withEmptyChoice(kind: KnownKind, planned: ObjectValue, config: ObjectValue): ObjectValue {
  const empty = emptyChoices(kind, config).filter(
    (name) => name !== writeOnly.data && attributeOf(planned, name) === null,
  );
  return { ...planned, ...Object.fromEntries(empty.map((name) => [name, attributeOf(config, name)])) };
}

function emptyChoices(kind: KnownKind, config: ObjectValue): readonly string[] {
  const member = layoutOf(kind).record.members.find(({ form }) => form.is === 'choice');
  return member === undefined ? [] : [member.name, writeOnly.data].filter((name) => isEmpty(attributeOf(config, name)));
}

function isEmpty(value: Value): boolean {
  return isObjectValue(value) && Object.values(value).every((each) => each === null);
}

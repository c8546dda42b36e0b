import { type JsonObject, own as ownField } from '../../base/json/json.ts';
import type { KnownKind } from '../../schema/record/kinds.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { choiceOf } from '../schema/kindLayout.ts';
import { writeOnly } from '../schema/ownAttributes.ts';
import { attributeOf, isObjectValue, type ObjectValue, unknown } from '../value.ts';

/**
 * A secret with the value of another type: `type = "userpass"` with `data = { opaque = … }`. This one mistake is
 * reported once at `data`, instead of as missing and unknown attributes.
 */
export function wrongChoice(kind: KnownKind, value: ObjectValue, record: JsonObject): readonly Diagnostic[] {
  const member = choiceOf(kind);
  if (member === undefined) return [];
  const { by, choices } = member.form;
  const type = ownField(record, by);
  const right = choices.find((choice) => choice.value === type);
  if (right === undefined) return []; // it is unknown, or invalid
  return [member.name, writeOnly.data].flatMap((name): readonly Diagnostic[] => {
    const said = attributeOf(value, name);
    if (!isObjectValue(said) || attributeOf(said, right.name) !== null) return [];
    const wrong = choices.filter((choice) => attributeOf(said, choice.name) !== null);
    const [first] = wrong;
    if (first === undefined || wrong.length > 1) return []; // too few or too many are set: reported elsewhere
    if (attributeOf(said, first.name) === unknown) return []; // it may turn out to be null
    return [
      {
        severity: 'error',
        summary: `${name}.${first.name} does not belong to the ${by} "${right.value}"`,
        detail: `Write ${right.name} in ${name}, or ${by} = "${first.value}".`,
        path: [name],
      },
    ];
  });
}

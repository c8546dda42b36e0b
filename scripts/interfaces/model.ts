import type { JsonObject } from '../../src/base/json/json.ts';
import { addTo } from '../../src/base/multimap.ts';
import {
  type DescribedField,
  definitionToJson,
  describedFields,
  describedSecretData,
  innermost,
  ownFieldsOf,
} from '../../src/kinds/describedFields.ts';
import { sheets } from '../../src/kinds/list.ts';
import { secretData } from '../../src/kinds/secret/fields.ts';
import { secretDataTypes } from '../../src/kinds/secret/published.ts';
import { definitionOf } from '../../src/kinds/shapeOf.ts';
import type { FieldFacts } from '../../src/schema/facts/fieldFacts.ts';
import { type WorkloadType, workloadTypes } from '../../src/schema/facts/workloadTypes.ts';
import { creatableKinds } from '../../src/schema/record/kinds.ts';

/** A field of a named type, for the interfaces. */
export interface Field extends DescribedField {
  /** Its defaults differ between places. */
  readonly isVarying: boolean;
}

/** A named object type: its fields, and whether it accepts others too. */
export interface ObjectType {
  readonly fields: readonly Field[];
  readonly isOpen: boolean;
}

/** Every named object type of the kinds that manifests declare. */
export function objectTypes(): ReadonlyMap<string, ObjectType> {
  const nodes = new Map<string, JsonObject[]>();
  const note = (type: string, node: JsonObject) => addTo(nodes, type, node);
  const noteBelow = (fields: readonly DescribedField[]) => {
    for (const { node, words } of fields) if (words?.type !== undefined) note(words.type, innermost(node, '').node);
  };
  for (const kind of creatableKinds) {
    note(sheets[kind].typeName, definitionToJson(definitionOf(kind)));
    noteBelow(describedFields(kind));
  }
  for (const [type, name] of Object.entries(secretDataTypes)) {
    const definition = Object.entries(secretData).find(([key]) => key === type)?.[1];
    if (definition !== undefined) note(name, definitionToJson(definition));
    noteBelow(describedSecretData(type));
  }
  return new Map([...nodes].map(([type, found]) => [type, objectType(type, found)]));
}

function objectType(type: string, nodes: readonly JsonObject[]): ObjectType {
  const [first = {}, ...others] = nodes;
  const fields = ownFieldsOf(first, type, '').filter(({ facts }) => facts.responseOnly !== true);
  const elsewhere = others.map(
    (node) => new Map(ownFieldsOf(node, type, '').map((field) => [field.name, field.facts])),
  );
  return {
    fields: fields.map((field) => ({
      ...field,
      isVarying: elsewhere.some((facts) => defaultOf(facts.get(field.name)) !== defaultOf(field.facts)),
    })),
    isOpen: first['additionalProperties'] === true,
  };
}

function defaultOf(facts: FieldFacts | undefined): string {
  return JSON.stringify([facts?.default, facts?.derive, facts?.fill]);
}

export { type WorkloadType, workloadTypes };

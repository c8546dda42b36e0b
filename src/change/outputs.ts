import { described, flag, json, object, objectOf, optional, text } from '../base/form/form.ts';
import type { JsonObject, JsonValue } from '../base/json/json.ts';
import { masked } from '../base/json/mask.ts';
import { present } from '../base/json/present.ts';
import { fillLive, type LiveReference, liveReferences, liveValue } from '../manifest/live/liveReference.ts';
import type { Output } from '../manifest/model/manifest.ts';
import type { ResourceId } from '../schema/record/ref.ts';

/** The present value of an output. */
export interface OutputValue extends Pick<Output, 'name' | 'description' | 'sensitive'> {
  /** Undefined if the platform does not have it yet. */
  readonly value: JsonValue | undefined;
  /** The reason why there is no value. */
  readonly missing?: string;
}

export interface StackOutputs {
  readonly org: string;
  /** The owner. */
  readonly stack: string;
  /** Ordered by name. */
  readonly outputs: readonly OutputValue[];
}

/** `records`: the existing records that the outputs refer to. */
export function outputValues(
  outputs: readonly Output[],
  records: ReadonlyMap<ResourceId, JsonObject>,
): readonly OutputValue[] {
  return outputs
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, description, sensitive, value, saveTo }) => {
      const resolved = (reference: LiveReference): JsonValue | undefined => {
        const record = records.get(reference.id);
        return record === undefined ? undefined : liveValue(record, reference);
      };
      const common = { name, sensitive, ...present({ description }) };
      if (saveTo !== undefined) {
        const missing = `it is shown once, when it is made, and saved to ${saveTo.file} then`;
        return { ...common, value: undefined, missing };
      }
      const open = liveReferences(value).filter((reference) => resolved(reference) === undefined);
      if (open.length === 0) return { ...common, value: fillLive(value, resolved) };
      const missing = open.map(({ id, path }) =>
        records.has(id) ? `${id} has no ${path} yet` : `${id} is not there yet`,
      );
      return { ...common, value: undefined, missing: [...new Set(missing)].join('; ') };
    });
}

const outputForm = object({
  value: optional(described('Absent: the platform does not have it yet. A sensitive value is masked.', json)),
  sensitive: flag,
  description: optional(text),
  missing: optional(described('Why there is no value.', text)),
});

/** Outputs in JSON. */
export const outputsForm = described(
  'What the stack hands on, by the names of its outputs.',
  objectOf({ type: 'object', additionalProperties: outputForm.schema }),
);

export function outputsToJson(outputs: readonly OutputValue[], reveal = false): JsonObject {
  return Object.fromEntries(
    outputs.map(({ name, value, sensitive, ...said }) => {
      const shown = sensitive && !reveal ? masked : value;
      return [name, outputForm.write({ ...said, sensitive, value: value === undefined ? undefined : shown })];
    }),
  );
}

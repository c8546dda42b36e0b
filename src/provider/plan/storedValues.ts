import { isObject, type JsonObject, type JsonValue, own } from '../../base/json/json.ts';
import { valueThere, withValues } from '../../base/json/valuesAt.ts';
import { type Capabilities, placeOf, storedValues } from '../../capabilities/capabilities.ts';
import { equalValues } from '../../kinds/equal.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { StoredForms } from '../../patch/recorder.ts';
import { isFormOf, patternOf } from '../../plan/record/platformValues.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { RecordContext, Ref } from '../../schema/record/ref.ts';
import { holdsSensitive } from '../../schema/shape/anywhere.ts';
import { matchPath } from '../../schema/shape/paths.ts';

/**
 * The values that the platform stored in its own way after our last write of a record, by path: its own default, an
 * image with its digest; null if it stored nothing. They are kept with the resource. A value that another client has
 * changed since differs from them, so it counts as it is.
 */
export type StoredValues = JsonObject;

/** Knowledge of how a platform stores values. */
export interface StoredKnowledge {
  readonly stored?: StoredValues | undefined;
  readonly capabilities?: Capabilities | undefined;
}

/** How the platform has stored a record, according to the answer to our last write, and its known defaults. */
export function knownForms(
  ref: Ref,
  record: JsonObject,
  context: RecordContext,
  { stored = {}, capabilities }: StoredKnowledge,
): StoredForms | undefined {
  if (isStoredAsWritten(capabilities)) return undefined;
  const isStored = (path: string, value: JsonValue | undefined, isSame: (a: JsonValue, b: JsonValue) => boolean) => {
    const before = own(stored, path);
    return before !== undefined && (value === undefined ? before === null : isSame(before, value));
  };
  return {
    isFilled: (path, shape, live) => {
      const isSame = (a: JsonValue, b: JsonValue): boolean => equalValues(shape, a, b, context);
      if (holdsSensitive(shape)) return false;
      const usual = capabilities?.defaultOf(ref.kind, patternOf(path, { ref, record }));
      return isStored(path, live, isSame) || (usual !== undefined && isSame(usual, live));
    },
    isForm: (path, shape, live, declared) =>
      !holdsSensitive(shape) &&
      isStored(path, live, (a, b) => equalValues(shape, a, b, context)) &&
      isFormOf(shape, live, declared, { context, wasDeclaredWith: isWrittenShort }),
    hasOtherDefaults: capabilities?.isOtherwise('value.defaults') === true,
  };
}

/** The values that the platform stored in its own way, found in the answer to our write. */
export interface FoundInAnswer {
  /** By path. */
  readonly stored: Map<string, JsonValue>;
  /** The paths of `stored` without a declared value. */
  readonly filled: Set<string>;
}

/** The forms in the answer to our write, whose undeclared values come from the platform. Adds them to `found`. */
export function formsOfAnswer(
  context: RecordContext,
  { stored, filled }: FoundInAnswer,
  capabilities?: Capabilities,
): StoredForms | undefined {
  if (isStoredAsWritten(capabilities)) return undefined;
  return {
    isFilled: (path, shape, live) => {
      if (holdsSensitive(shape)) return false;
      stored.set(path, live);
      filled.add(path);
      return true;
    },
    isForm: (path, shape, live, declared) => {
      if (holdsSensitive(shape) || !isFormOf(shape, live, declared, { context, wasDeclaredWith: isWrittenShort }))
        return false;
      stored.set(path, live ?? null);
      return true;
    },
  };
}

function isStoredAsWritten(capabilities: Capabilities | undefined): boolean {
  return capabilities !== undefined && storedValues.every((id) => capabilities.of(id) === 'holds');
}

/** A declared digest or registry is not the platform's form, so it is not among the stored values. */
function isWrittenShort(): boolean {
  return false;
}

/** A new record with the platform's known defaults for undeclared values. */
export function withDefaults(kind: Kind, record: JsonObject, capabilities: Capabilities | undefined): JsonObject {
  const shape = shapeOf(kind, record);
  return [...(capabilities?.defaults() ?? [])].reduce((filled, [key, value]) => {
    const [of, path] = placeOf(key);
    const end = path.lastIndexOf('.');
    if (of !== kind || end < 0) return filled;
    const name = path.slice(end + 1);
    const objects = matchPath(path.slice(0, end), shape, filled).flatMap((at) => {
      const object = valueThere(filled, at);
      return isObject(object) && !Object.hasOwn(object, name) ? [{ at, value: { ...object, [name]: value } }] : [];
    });
    return objects.length === 0 ? filled : withValues(filled, objects);
  }, record);
}

import fc from 'fast-check';
import { isArray, isObject, type JsonObject, type JsonValue, own } from '../../src/base/json/json.ts';
import { references } from '../../src/kinds/references.ts';
import { loadValidators, type Validators } from '../../src/kinds/validators.ts';
import { checkManifests } from '../../src/manifest/checkManifests.ts';
import type { DesiredResource, ManifestDocument } from '../../src/manifest/model/manifest.ts';
import { parseManifestText } from '../../src/manifest/parseManifestText.ts';
import { type CreatableKind, creatableKinds, readOnlyKinds } from '../../src/schema/record/kinds.ts';
import { formatRef } from '../../src/schema/record/ref.ts';
import type { Dice } from '../fuzz/dice.ts';
import { recordsOf } from '../patch/realRecord.ts';
import { org } from '../sweeps/harness/stack.ts';

const validators: Validators = await loadValidators(creatableKinds);

/** Records with all fields of their kind, from which mutations take fields. */
const donors = new Map<CreatableKind, readonly JsonObject[]>();

function donorsOf(kind: CreatableKind): readonly JsonObject[] {
  const known = donors.get(kind);
  if (known !== undefined) return known;
  const made = fc.sample(recordsOf(kind), { numRuns: 60, seed: 7 });
  donors.set(kind, made);
  return made;
}

export function documentsOf(text: string): readonly JsonObject[] {
  return parseManifestText({ text, file: 'stack.yaml', format: 'yaml' }).documents.map(({ value }) =>
    isObject(value) ? value : {},
  );
}

/** The stack of these manifests; undefined if a check fails, or a reference leads out of the stack. */
export function stackOf(manifests: readonly JsonObject[]): readonly DesiredResource[] | undefined {
  const place = { file: 'stack.yaml', line: 1, column: 1 };
  const documents: readonly ManifestDocument[] = manifests.map((value) => ({ value, locate: () => place }));
  const { resources, problems } = checkManifests(documents, { org, validators });
  if (problems.some(({ severity }) => severity === 'error')) return undefined;
  const declared = new Set(resources.map(({ id }) => id));
  const holds = resources.every(({ ref, record }) => {
    const gvc = ref.kind === 'gvc' ? ref.name : ref.gvc;
    return references(ref.kind, record, gvc === undefined ? { org } : { org, gvc }).every(
      ({ target, strength, org: other }) =>
        strength === 'none' || (other === org && (declared.has(formatRef(target)) || isBuiltIn(target.kind))),
    );
  });
  return holds ? resources : undefined;
}

function isBuiltIn(kind: string): boolean {
  return kind === 'location' || readOnlyKinds.some((each) => each === kind && each !== 'user');
}

/** The manifests with one field of one of them added, changed or removed, which can make them invalid. */
export function mutated(manifests: readonly JsonObject[], dice: Dice): readonly JsonObject[] {
  const index = dice.whole(manifests.length);
  return manifests.map((manifest, at) => (at === index ? changed(manifest, dice) : manifest));
}

const fixed = new Set(['kind', 'name', 'gvc', 'lifecycle']);

function changed(manifest: JsonObject, dice: Dice): JsonObject {
  const kind = creatableKinds.find((each) => each === manifest['kind']);
  const donor = kind === undefined ? undefined : dice.any(donorsOf(kind));
  const places = placesIn(manifest, donor ?? {}).filter(([name]) => typeof name !== 'string' || !fixed.has(name));
  const place = dice.any(places);
  if (place === undefined) return manifest;
  const value = dice.percent(80) && donor !== undefined ? at(donor, place) : undefined;
  const after = placed(manifest, place, value);
  return isObject(after) ? after : manifest;
}

type Pointer = readonly (string | number)[];

/** Every place of either record within objects, and lists of objects, that both have. */
function placesIn(held: JsonValue | undefined, donor: JsonValue | undefined): readonly Pointer[] {
  if (isArray(held) && isArray(donor)) {
    return held.flatMap((item, index) =>
      isObject(item) ? placesIn(item, donor[index] ?? donor[0]).map((rest) => [index, ...rest]) : [],
    );
  }
  if (!isObject(held) || !isObject(donor)) return [];
  const names = new Set([...Object.keys(held), ...Object.keys(donor)]);
  return [...names].flatMap((name): readonly Pointer[] => [
    [name],
    ...placesIn(own(held, name), own(donor, name)).map((rest) => [name, ...rest]),
  ]);
}

function at(value: JsonValue | undefined, [step, ...rest]: Pointer): JsonValue | undefined {
  if (step === undefined) return value;
  if (typeof step === 'number') return isArray(value) ? at(value[step] ?? value[0], rest) : undefined;
  return isObject(value) ? at(own(value, step), rest) : undefined;
}

/** Sets the value at a place; undefined removes the field. */
function placed(
  held: JsonValue | undefined,
  [step, ...rest]: Pointer,
  value: JsonValue | undefined,
): JsonValue | undefined {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    return isArray(held)
      ? held.map((item, index) => (index === step ? (placed(item, rest, value) ?? item) : item))
      : held;
  }
  if (!isObject(held)) return held;
  const { [step]: before, ...others } = held;
  const after = placed(before, rest, value);
  return after === undefined ? others : { ...others, [step]: after };
}

import { load } from '#validators/all';
import type { JsonObject } from '../base/json/json.ts';
import { onceFor } from '../base/once.ts';
import { compareText } from '../base/text/compareText.ts';
import { isKnownKind, type Kind } from '../schema/record/kinds.ts';
import type { Problem } from '../schema/record/problem.ts';
import { shapeOf } from './shapeOf.ts';
import { type SchemaError, shapeProblem, unknownSource, type ValueSource } from './shapeProblem.ts';

interface Validate {
  (value: unknown): boolean;
  readonly errors?: readonly SchemaError[] | null;
}

export type Validators = ReadonlyMap<Kind, Validate>;

/** The validators of these kinds; each kind's module is loaded once. */
export async function loadValidators(kinds: Iterable<Kind>): Promise<Validators> {
  const wanted = [...new Set(kinds)];
  return new Map(await Promise.all(wanted.map(async (kind) => [kind, await validatorOf(kind)] as const)));
}

/** The validator shared by all custom kinds. */
const custom = 'custom';

/** Cached, because finding even a loaded module takes time, and a server does so for each write. */
const validatorOf = onceFor(async (kind: Kind): Promise<Validate> => {
  const { validate } = await load(isKnownKind(kind) ? kind : custom);
  return validate;
});

/**
 * Checks types, required and unknown fields, enums and bounds of one record: name, description, tags and the fields of
 * the kind, without `lifecycle`. One problem per place, ordered by path; a misspelt field is not also reported as
 * missing. Rules are checked elsewhere.
 *
 * `source`: what the record was read from; hints show values as written there. `most`: the maximum number of problems.
 * Throws a plain Error if the validator of the kind was not loaded: our own mistake.
 */
export function validateShape(
  validators: Validators,
  kind: Kind,
  record: JsonObject,
  source: ValueSource = unknownSource,
  most = Number.POSITIVE_INFINITY,
): readonly Problem[] {
  const validate = validators.get(kind);
  if (validate === undefined) throw new Error(`the validator of ${kind} was not loaded`);
  if (validate(record)) return [];

  const shape = shapeOf(kind, record);
  const byPlace = new Map<string, Problem>();
  const explained = new Set<string>();
  for (const error of validate.errors ?? []) {
    if (byPlace.size >= most) break;
    const found = shapeProblem(error, shape, record, source);
    if (found === undefined) continue;
    const place = JSON.stringify(found.problem.pointer);
    if (!byPlace.has(place)) byPlace.set(place, found.problem);
    if (found.explains !== undefined) explained.add(JSON.stringify(found.explains));
  }
  const problems = [...byPlace].filter(([place, { rule }]) => rule !== 'shape.required' || !explained.has(place));
  return problems.map(([, problem]) => problem).toSorted((a, b) => compareText(a.path, b.path));
}

import type { JsonObject } from '../../base/json/json.ts';
import { isWithin, type Pointer } from '../../base/json/pointer.ts';
import { compact, present } from '../../base/json/present.ts';
import { textsIn } from '../../base/json/textsIn.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { withoutSecrets } from '../../base/text/withoutSecrets.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { formatPath, matchPath, namesOfPath, parsePath, pointerTo, quoted } from '../../schema/shape/paths.ts';
import type { Lifecycle } from './manifest.ts';

/** The members of a declaration that determine its hidden values. */
export interface Declared {
  readonly ref: { readonly kind: Kind };
  readonly record: JsonObject;
  readonly lifecycle: Lifecycle;
}

/** The places that the author marked as sensitive. */
function markedPlaces({ ref, record, lifecycle }: Declared): readonly Pointer[] {
  const { sensitive } = lifecycle;
  if (sensitive === undefined) return [];
  const shape = shapeOf(ref.kind, record);
  return sensitive.flatMap((path) => matchPath(path, shape, record));
}

/** The places whose values are never shown: marked ones, and the values of a secret. */
export function hiddenPlaces(declared: Declared): readonly Pointer[] {
  const field = hiddenField(declared.ref.kind);
  return compact([field === undefined ? undefined : [field], ...markedPlaces(declared)]);
}

/** Whether the value at a path is hidden, or contains or is part of a hidden one. */
export function isHidden(declared: Declared, path: string): boolean {
  const pointer = pointerTo(path, shapeOf(declared.ref.kind, declared.record), declared.record);
  if (pointer === undefined) return false;
  return hiddenPlaces(declared).some((place) => isWithin(pointer, place) || isWithin(place, pointer));
}

/** The texts at the marked places. */
export function markedTexts(declared: Declared): readonly string[] {
  return markedPlaces(declared).flatMap((place) => textsIn(valueThere(declared.record, place)));
}

/** `lifecycle` with marks by item keys instead of positions: in the live record the item may have another position. */
export function withMarksByKey(declared: Declared): Lifecycle {
  const { ref, record, lifecycle } = declared;
  if (lifecycle.sensitive === undefined) return lifecycle;
  return {
    ...lifecycle,
    sensitive: [...new Set(lifecycle.sensitive.flatMap((path) => byKey(path, ref.kind, record)))],
  };
}

function byKey(path: string, kind: Kind, record: JsonObject): readonly string[] {
  const shape = shapeOf(kind, record);
  const segments = parsePath(path) ?? [];
  const named = matchPath(path, shape, record).map((pointer) => formatPath(shape, record, pointer));
  if (named.length === 0) return [path];
  if (!segments.some(({ any }) => any)) return named;
  // A position below `*` may be a different item each time, so all are marked.
  const found = named.map(namesOfPath);
  const written = segments.map((segment, index) =>
    !segment.any && found.every((names) => names[index] === segment.name) ? quoted(segment.name) : '*',
  );
  return [written.join('.')];
}

/** Shorter texts occur in too many texts by chance. */
const shortest = 4;

/** A problem without the marked values in it. `others`: the marked values of all resources. */
export function withoutMarked(problem: Problem, declared: Declared, others: readonly string[]): Problem {
  const places = markedPlaces(declared);
  const isMarked = places.some((place) => isWithin(problem.pointer, place));
  const own = isMarked ? markedTexts(declared).filter((text) => text !== '') : [];
  const texts = [...own, ...others.filter(({ length }) => length >= shortest)];
  const shown = (text: string) => String(withoutSecrets(text, texts));
  const { message, hint } = problem;
  return { ...problem, message: shown(message), ...present({ hint: hint === undefined ? undefined : shown(hint) }) };
}

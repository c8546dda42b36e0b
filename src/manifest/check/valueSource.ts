import { hiddenField } from '../../schema/facts/kindFacts.ts';
import type { JsonObject } from '../../schema/json/json.ts';
import type { Pointer } from '../../schema/json/pointer.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { matchPath } from '../../schema/shape/paths.ts';
import { shapeOf } from '../../schema/shape/shapeOf.ts';
import type { ValueSource } from '../../schema/validation/shapeProblem.ts';
import type { Lifecycle } from '../model/lifecycle.ts';
import type { Written } from '../model/manifest.ts';

interface Declared {
  readonly ref: { readonly kind: Kind };
  readonly record: JsonObject;
  readonly lifecycle: Lifecycle;
}

/** How messages may quote values of a manifest: as they were written, but never secrets. */
export function valueSource({ ref, record, lifecycle }: Declared, written: Written = () => undefined): ValueSource {
  const { sensitive = [] } = lifecycle;
  let marked: readonly Pointer[] | undefined;
  return {
    written,
    isHidden(pointer) {
      if (pointer.length > 0 && pointer[0] === hiddenField(ref.kind)) return true;
      if (sensitive.length === 0) return false;
      marked ??= sensitive.flatMap((path) => matchPath(path, shapeOf(ref.kind, record), record));
      return marked.some((place) => place.every((step, index) => pointer[index] === step));
    },
  };
}

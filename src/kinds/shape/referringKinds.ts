import { declarableKinds, type Kind, readOnlyKinds } from '../../schema/record/kinds.ts';
import { anywhere, isResponseOnly } from '../../schema/shape/anywhere.ts';
import { isMerged, type Shape } from '../../schema/shape/shape.ts';
import type { ReferenceForm } from './referenceStrength.ts';
import { shapeOf } from './shapeOf.ts';

/** The kinds whose records may hold a reference to one of this kind that counts, as far as the schema says. */
export function referringKinds(
  target: Kind,
  counts: (referrer: Kind, form: ReferenceForm) => boolean,
): readonly Kind[] {
  return [...declarableKinds(), ...readOnlyKinds].filter((kind) => {
    const mayRefer = anywhere((shape) => formsIn(shape, target).some((form) => counts(kind, form)), isResponseOnly);
    return mayRefer(shapeOf(kind));
  });
}

/** The references that a value of this shape may be, as `references.ts` finds them. */
function formsIn(shape: Shape, kind: Kind): readonly ReferenceForm[] {
  const { link, uri, uriStrength = 'hard' } = shape.facts;
  const target = { kind };
  if (isMerged(shape)) return [{ target, strength: 'soft' }];
  if (link !== undefined) return link.to.includes(kind) ? [{ target, strength: link.strength, fact: link }] : [];
  if (uri?.some((each) => each === kind) !== true) return [];
  return [{ target, strength: kind === 'secret' ? 'soft' : uriStrength }];
}

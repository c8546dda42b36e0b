import { hiddenField } from '../../kinds/kindFacts.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import type { Problem } from '../../schema/record/problem.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { formatPath } from '../../schema/shape/paths.ts';
import {
  fieldOf,
  type LiveReference,
  liveFaults,
  livePlaces,
  liveReferences,
  shownOnce,
} from '../live/liveReference.ts';
import type { ManifestDocument } from '../model/document.ts';
import { type Declared, isHidden } from '../model/marks.ts';

interface Member extends Declared {
  readonly id: ResourceId;
  readonly document: Pick<ManifestDocument, 'madeBy'>;
}

/** The problems of the references of a record to values of live ones. `all`: the declared records. */
export function liveProblems(member: Member, all: ReadonlyMap<ResourceId, Member>): readonly Problem[] {
  const { id, ref, record } = member;
  const faults = liveFaults(record).map(({ at, message, hint }) => ({
    rule: 'live.reference',
    pointer: at,
    message,
    hint,
  }));
  const refused = liveReferences(record).flatMap((reference) => {
    const of = all.get(reference.id);
    const fault = refusal(id, reference, of);
    if (fault === undefined) return [];
    return livePlaces(record, ({ text }) => text === reference.text).flatMap((pointer) => {
      // The value of a secret may be what is shown once.
      const isKept = fault.rule === 'live.once' && pointer[0] === hiddenField(ref.kind);
      const found = isKept ? elsewhere(reference, member.document.madeBy?.stack, of) : fault;
      return found === undefined ? [] : [{ ...found, pointer }];
    });
  });
  const shape = shapeOf(ref.kind, record);
  return [...faults, ...refused].map((each) => ({
    ...each,
    path: formatPath(shape, record, each.pointer),
    severity: 'error',
  }));
}

/** Undefined: a record may take this value. */
function refusal(id: ResourceId, reference: LiveReference, of: Member | undefined) {
  const { text, path } = reference;
  if (reference.id === id) {
    return {
      rule: 'live.self',
      message: `${text} is a value of this record itself`,
      hint: 'Write the value, or leave it out.',
    };
  }
  const field = fieldOf(reference);
  if ('hint' in field) return undefined;
  if (field.isShownOnce) return shownOnce(reference);
  if (!isSensitiveValue(reference, of)) return undefined;
  const hint = 'Refer to a secret by scheme://secret/NAME.KEY, so that its value is in one place only.';
  return {
    rule: 'live.sensitive',
    message: `${path} of ${reference.id} is sensitive and is not copied into another record`,
    hint,
  };
}

/** A made value belongs to the stack that has the record. Undefined: that is this one. */
export function elsewhere({ id, path }: LiveReference, stack: string | undefined, of: Member | undefined) {
  if (of !== undefined && of.document.madeBy?.stack === stack) return undefined;
  return {
    rule: 'live.elsewhere',
    message: `${path} is made when ${id} is applied, and this stack does not declare that`,
    hint: `Declare ${id} in the same stack.`,
  };
}

/** `of`: the resource as it is declared, which may mark the value; undefined where it is not declared here. */
export function isSensitiveValue(reference: LiveReference, of: Declared | undefined): boolean {
  const field = fieldOf(reference);
  return ('isSensitive' in field && field.isSensitive) || (of !== undefined && isHidden(of, reference.path));
}

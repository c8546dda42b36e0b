import type { JsonObject } from '../../base/json/json.ts';
import { membersWithoutNulls } from '../../kinds/normalForm/withoutNulls.ts';
import { shapeOf } from '../../kinds/shape/shapeOf.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { diff } from '../../patch/diff.ts';
import type { StoredForms } from '../../patch/model/storedForms.ts';
import { fieldChanges } from '../../patch/show/fieldChanges.ts';
import { writesWholeLists } from '../../patch/write/writePatch.ts';
import { contextOf } from '../../schema/record/ref.ts';
import { type FieldClaims, laterNotes } from '../claims/fieldClaims.ts';
import type { Note } from '../claims/note.ts';
import type { FieldChange } from '../model/fieldChange.ts';
import { directivesOf, type PlanContext } from '../model/planContext.ts';
import { sensitivityOf } from '../record/shapeFacts.ts';

export interface RecordDiffInput {
  readonly resource: DesiredResource;
  readonly live: JsonObject;
  readonly desired: JsonObject;
  /** Absent: the stack has set nothing of it before. */
  readonly claims?: FieldClaims;
  /** How the platform stored `live`; absent: it is not known, or not live. */
  readonly stored?: StoredForms;
  readonly planning: PlanContext;
}

export interface RecordDiff {
  /** Undefined: nothing differs. */
  readonly patch: JsonObject | undefined;
  /** The record as it is to become; the live one when nothing differs. */
  readonly target: JsonObject;
  /** The same in normal form. */
  readonly proof: JsonObject;
  readonly fields: readonly FieldChange[];
  /** Findings that are reported but not changed. */
  readonly notes: readonly Note[];
}

/** The smallest proven patch for one record, with what is known of it from earlier writes. */
export function diffRecord({ resource, desired, claims, stored, planning, ...given }: RecordDiffInput): RecordDiff {
  const { kind } = resource.ref;
  const directives = directivesOf(planning.snapshot);
  // A list that is written as a whole cannot hold the nulls that a platform shows for what is absent.
  const live = writesWholeLists(directives) ? membersWithoutNulls(shapeOf(kind, given.live), given.live) : given.live;
  const { lifecycle } = resource;
  const context = contextOf(resource.ref, planning.org);
  const notes: Note[] = [];
  const found = diff(kind, live, desired, {
    context,
    directives,
    ignore: lifecycle.ignore ?? [],
    untyped: lifecycle.untyped ?? [],
    ...(claims === undefined ? {} : { wasSet: claims.wasSet }),
    ...(stored === undefined ? {} : { stored }),
    revertOperational: planning.options.revertOperational === true,
    report: (note) => notes.push(note),
  });
  if (claims !== undefined) notes.push(...laterNotes(claims));
  if (found === undefined) return { patch: undefined, target: live, proof: live, fields: [], notes };
  return {
    patch: found.patch,
    target: found.target,
    proof: found.proof,
    fields: fieldChanges(sensitivityOf(resource, live), live, found.target, context),
    notes,
  };
}

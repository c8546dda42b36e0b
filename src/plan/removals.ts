import { Body } from '../manifest/body.ts';
import type { LiveResource } from '../manifest/snapshot.ts';
import { objectAt } from '../schema/json.ts';
import type { ResourceId } from '../schema/ref.ts';
import { type Draft, makeDraft } from './draft.ts';
import { isUndeletable } from './kindTraits.ts';
import { appliedTag, ownerTag } from './ownership.ts';
import type { Planning } from './planning.ts';
import { withoutFields } from './shapeFacts.ts';
import { tagPatch } from './tags.ts';

/** What happens to each resource that carries our owner tag and is not declared. */
export function draftUndeclared(known: ReadonlyMap<ResourceId, LiveResource>, planning: Planning): readonly Draft[] {
  return [...known.values()].flatMap((live) => {
    if (planning.desired.has(live.id)) return [];
    const draft = draftRemoval(live, planning);
    return draft === undefined ? [] : [draft];
  });
}

function draftRemoval(live: LiveResource, planning: Planning): Draft | undefined {
  const { options } = planning;
  const ownership = planning.ownership(live);
  switch (ownership.state) {
    case 'ours': {
      if (options.scope === 'partial' && !options.prune) return keep(live, 'not declared here');
      if (ownership.applied.retain) return forget(live, 'it is no longer declared, and is to be retained');
      if (isUndeletable(live.ref.kind, live.record)) {
        return forget(live, 'it is no longer declared, and the platform never deletes it');
      }
      return makeDraft({ id: live.id, ref: live.ref, live }, { action: 'delete', reason: 'it is no longer declared' });
    }
    case 'copy':
      return planning.carriesOwner(live)
        ? keep(live, 'a copy of another resource: not owned, never deleted')
        : undefined;
    case 'unrecorded':
      return keep(live, 'gantry/applied is missing, so it may not be ours: never deleted');
    case 'lost':
    case 'other':
    case 'none':
      return undefined;
  }
}

function keep(live: LiveResource, note: string): Draft {
  return makeDraft({ id: live.id, ref: live.ref, live }, { action: 'keep', reason: '', notes: [note] });
}

/** One PATCH that drops our two tags and changes nothing else. */
function forget(live: LiveResource, reason: string): Draft {
  const patch = { id: live.uid, version: live.version, tags: tagPatch({}, [ownerTag, appliedTag]) ?? {} };
  const expected = { tags: withoutFields(objectAt(live.record, 'tags'), [[ownerTag], [appliedTag]]) };
  return makeDraft(
    { id: live.id, ref: live.ref, live },
    { action: 'forget', reason, patch: new Body(patch, patch), expected: new Body(expected, expected) },
  );
}

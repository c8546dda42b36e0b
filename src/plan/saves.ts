import { liveReferences } from '../manifest/live/liveReference.ts';
import { keyDescription, wasShown } from '../manifest/live/shownOnce.ts';
import type { Snapshot } from '../manifest/live/snapshot.ts';
import type { Output, ReadValue } from '../manifest/model/manifest.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import { type Change, plannedAction } from './model/change.ts';
import type { Plan, Save } from './model/plan.ts';

/** Adds the values that the plan creates, that are shown once, and that are saved to files. */
export function withSaves(plan: Plan, outputs: readonly Output[], { resources }: Pick<Snapshot, 'resources'>): Plan {
  const changes = new Map(plan.changes.map((change) => [change.id, change]));
  const saves = outputs.flatMap(({ name, value, saveTo }): readonly Save[] => {
    if (saveTo === undefined) return [];
    const references = liveReferences(value);
    const isMade = references.every(
      (reference) =>
        isThereThen(reference.id) &&
        (isMadeAnew(changes.get(reference.id)) || !wasShown(reference, resources.get(reference.id)?.record)),
    );
    return isMade ? [{ output: name, file: saveTo.file, value, of: [...new Set(references.map(({ id }) => id))] }] : [];
  });
  if (saves.length === 0) return plan;
  return { ...plan, saves, notes: [...plan.notes, ...saves.map(noteOf)] };

  function isThereThen(id: ResourceId): boolean {
    const change = changes.get(id);
    const action = change === undefined ? undefined : plannedAction(change);
    return action === undefined ? false : action !== 'delete' && (resources.has(id) || isMadeAnew(change));
  }
}

function isMadeAnew(change: Change | undefined): boolean {
  const action = change === undefined ? undefined : plannedAction(change);
  return action === 'create' || action === 'replace';
}

function noteOf({ output, file, value }: Save): string {
  const made = liveReferences(value).map(describeMade);
  return `${made.join(', ')}: shown once, and saved to the file ${file} (output ${output})`;
}

/** Describes the value that is created for a reference. */
export function describeMade(reference: Pick<ReadValue, 'ref' | 'id' | 'path'>): string {
  const description = keyDescription(reference);
  return description === undefined
    ? `${reference.path} of ${reference.id}`
    : `a new key of ${reference.id} for ${description}`;
}

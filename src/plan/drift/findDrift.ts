import type { DesiredResource } from '../../manifest/manifest.ts';
import type { LiveResource, Snapshot } from '../../manifest/snapshot.ts';
import { objectAt, stringAt } from '../../schema/json.ts';
import type { Ref, ResourceId } from '../../schema/ref.ts';
import { type Hash, type Ownership, ownershipOf, ownerTag } from '../ownership.ts';
import { compareText } from '../refusals.ts';
import type { DriftState } from './drift.ts';

/** A resource to be looked at, before the audit trail was asked. */
export interface Finding {
  readonly id: ResourceId;
  readonly ref: Ref;
  /** `absent`, `unowned`: only the trail can say whether it ever was ours. */
  readonly state: DriftState | 'absent' | 'unowned';
  readonly orphaned: boolean;
  readonly live?: LiveResource;
  readonly recordedVersion?: number;
  readonly owner?: string;
}

export interface DriftInput {
  /** Undefined: nobody knows what is declared. */
  readonly desired: readonly DesiredResource[] | undefined;
  readonly scope: 'whole' | 'partial';
  /** What the owner has, and what is declared. */
  readonly snapshot: Snapshot;
  readonly owner: string;
  readonly hash: Hash;
}

/** Everything of the stack, judged by its two tags; ordered by id. */
export function findDrift({ desired, scope, snapshot, owner, hash }: DriftInput): readonly Finding[] {
  const declared = new Map((desired ?? []).filter(isWhole).map((resource) => [resource.id, resource]));
  const mayOrphan = desired !== undefined && scope === 'whole';
  const parts = new Set((desired ?? []).filter((resource) => !isWhole(resource)).map(({ id }) => id));
  const found = [...snapshot.resources.values()].flatMap((live): readonly Finding[] => {
    const isOurs = stringAt(objectAt(live.record, 'tags'), ownerTag) === owner;
    if (!isOurs && !declared.has(live.id)) return [];
    const finding = judgeTags(live, ownershipOf(live, owner, snapshot.org, hash));
    const orphaned = mayOrphan && isOurs && !declared.has(live.id) && !parts.has(live.id) && finding.state !== 'copy';
    return finding.state === 'copy' && !isOurs ? [] : [{ ...finding, orphaned }];
  });
  const absent = [...declared.values()]
    .filter(({ id }) => !snapshot.resources.has(id))
    .map(({ id, ref }): Finding => ({ id, ref, state: 'absent', orphaned: false }));
  return [...found, ...absent].sort((a, b) => compareText(a.id, b.id));
}

function isWhole({ lifecycle }: DesiredResource): boolean {
  return lifecycle.part !== true;
}

function judgeTags(live: LiveResource, ownership: Ownership): Omit<Finding, 'orphaned'> {
  const { id, ref, version } = live;
  const of = { id, ref, live };
  switch (ownership.state) {
    case 'ours': {
      const { version: recordedVersion } = ownership.applied;
      const state = version === recordedVersion ? 'untouched' : version < recordedVersion ? 'recreated' : 'touched';
      return { ...of, state, recordedVersion };
    }
    case 'lost':
      return { ...of, state: 'owner-lost', recordedVersion: ownership.applied.version };
    case 'other':
      return { ...of, state: 'other-owner', owner: ownership.owner };
    case 'none':
      return { ...of, state: 'unowned' };
    case 'unrecorded':
      return { ...of, state: 'unrecorded' };
    case 'copy':
      return { ...of, state: 'copy' };
  }
}

/** Which trail is to be read, if any: by the platform's own id, or by name for what is not there. */
export function trailOf({ state }: Finding): 'record' | 'name' | undefined {
  if (state === 'untouched' || state === 'part') return undefined;
  return state === 'absent' ? 'name' : 'record';
}

import { addTo } from '../../base/multimap.ts';
import type { LiveResource, Snapshot } from '../../manifest/live/snapshot.ts';
import { ownerOf } from '../../manifest/model/ownTags.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { type Draft, makeDraft } from '../model/draft.ts';
import type { Plan, Waiting } from '../model/plan.ts';
import type { PlanContext } from '../model/planContext.ts';
import { ownershipOf } from '../record/ownership.ts';
import { type Need, needs } from '../references/needs.ts';
import { renamingsOf } from '../rename/rename.ts';
import { mayBeLeftOut } from './selection.ts';

type Drafts = ReadonlyMap<ResourceId, Draft>;

/** The changes of a plan that come after other stacks of the run. */
export interface Turns {
  readonly waiting: ReadonlyMap<ResourceId, Waiting>;
  /** The records of these stacks that are changed or deleted before that, and need nothing of it any more then. */
  readonly letGo: ReadonlySet<ResourceId>;
}

const none: Turns = { waiting: new Map(), letGo: new Set() };

/**
 * The deletions that wait for other stacks of the same run: a record of theirs needs it now, and will have let go of it
 * once they are applied. What waits for itself by way of another stack does not wait; it is refused.
 */
export function takeTurns(drafts: Drafts, planning: PlanContext): Turns {
  const { options, org } = planning;
  const running = new Map((options.others ?? []).filter(({ inRun }) => inRun).map((each) => [each.owner, each]));
  const deleted = [...drafts.values()].filter(({ action }) => action === 'delete');
  if (running.size === 0 || deleted.length === 0) return none;

  const needsOf = (live: LiveResource): readonly Need[] => needs(live.ref, live.record, org);
  const going = new Map(deleted.flatMap(({ id, live }) => (live === undefined ? [] : [[id, live] as const])));
  const users: LiveResource[] = [];
  for (const live of planning.known.values()) {
    const other = running.get(ownerOf(live.record) ?? '');
    if (other === undefined || drafts.has(live.id)) continue;
    const ownership = ownershipOf(live, other.owner, org, options.hash);
    if (ownership.state !== 'ours') continue;
    const isDeclared = other.desired.some(({ id }) => id === live.id);
    if (!isDeclared && ownership.applied.retain) continue; // it stays as it is
    if (mayBeLeftOut(live.id, options)) continue;
    if (!isDeclared) going.set(live.id, live);
    users.push(live);
  }
  const free = withoutCycles(going, needsOf);

  const waiting = new Map<ResourceId, Waiting>();
  const wait = (live: LiveResource, after: string, kept: ReadonlySet<ResourceId>): void => {
    for (const { on, path } of needsOf(live)) {
      if (drafts.get(on)?.action !== 'delete' || !free.has(on) || kept.has(on) || waiting.has(on)) continue;
      // A new name that mounts the same volumes starts only when the old one is gone.
      if (renamingsOf(planning).byOld.get(on)?.contested !== undefined) continue;
      waiting.set(on, { id: on, after, by: live.id, path });
    }
  };
  for (const live of users) {
    const after = ownerOf(live.record) ?? '';
    const declared = running.get(after)?.desired.find(({ id }) => id === live.id);
    const kept = declared === undefined ? [] : needs(declared.ref, declared.record, org).map(({ on }) => on);
    wait(live, after, new Set(kept));
  }
  // What waits still has what it needs itself.
  for (const { id, after } of waiting.values()) {
    const live = going.get(id);
    if (live !== undefined) wait(live, after, new Set());
  }
  const letGo = users.map(({ id }) => id).filter((id) => !going.has(id) || free.has(id));
  return { waiting, letGo: new Set(letGo) };
}

/** The deletions before which only others that are in no cycle have to go. */
function withoutCycles(
  going: ReadonlyMap<ResourceId, LiveResource>,
  needsOf: (live: LiveResource) => readonly Need[],
): ReadonlySet<ResourceId> {
  const before = new Map<ResourceId, ResourceId[]>();
  for (const [id, live] of going) {
    for (const { on } of needsOf(live)) if (going.has(on) && on !== id) addTo(before, on, id);
  }
  const free = new Set<ResourceId>();
  for (let size = -1; size !== free.size; ) {
    size = free.size;
    for (const id of going.keys()) if ((before.get(id) ?? []).every((each) => free.has(each))) free.add(id);
  }
  return free;
}

/** The drafts of this pass: what waits stays as it is. */
export function withoutWaiting(drafts: Drafts, { waiting }: Turns): Drafts {
  if (waiting.size === 0) return drafts;
  return new Map(
    [...drafts].map(([id, draft]) => {
      const wait = waiting.get(id);
      if (wait === undefined || draft.live === undefined) return [id, draft];
      const note = `it is deleted after the stack ${wait.after}: ${wait.by} needs it at ${wait.path} until then`;
      const { ref, live } = draft;
      return [id, { ...makeDraft({ id, ref, live }, { action: 'keep', reason: '', notes: [note] }), unchecked: true }];
    }),
  );
}

/** The snapshot once the other stacks have let go. */
export function afterOthers(snapshot: Snapshot, { letGo }: Turns): Snapshot {
  const closures = [...snapshot.closures].map(
    ([gvc, closure]) => [gvc, { ...closure, children: closure.children.filter(({ id }) => !letGo.has(id)) }] as const,
  );
  const resources = [...snapshot.resources].filter(([id]) => !letGo.has(id));
  return { ...snapshot, resources: new Map(resources), closures: new Map(closures) };
}

/** Deletions that would be refused when their turn comes are refused now, before anything is written. */
export function refusedInAdvance(drafts: Drafts, { waiting }: Turns, planned: Drafts, later: Plan): Drafts {
  const refused = new Map(later.changes.filter(({ action }) => action === 'refuse').map((each) => [each.id, each]));
  return new Map(
    [...drafts].map(([id, draft]) => {
      const { refusals } = refused.get(id) ?? {};
      const deletion = planned.get(id);
      if (!waiting.has(id) || refusals === undefined || deletion === undefined) return [id, draft];
      return [id, { ...deletion, notes: draft.notes, refusals }];
    }),
  );
}

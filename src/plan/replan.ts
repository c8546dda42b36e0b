import { objectAt, stringAt } from '../base/json/json.ts';
import { present } from '../base/json/present.ts';
import { storedValues } from '../capabilities/capabilities.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import { type LiveValues, withLiveValues } from '../manifest/live/liveReference.ts';
import type { LiveResource, Snapshot } from '../manifest/live/snapshot.ts';
import type { DesiredResource } from '../manifest/model/manifest.ts';
import { appliedTag } from '../manifest/model/ownTags.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import { formatPath, pointerTo } from '../schema/shape/paths.ts';
import { draftDeclared, draftUndeclared } from './draft/declared.ts';
import type { Change } from './model/change.ts';
import { type Draft, toChange } from './model/draft.ts';
import { makePlanContext, type PlanContext } from './model/planContext.ts';
import type { PlanOptions } from './model/planOptions.ts';
import { contentHash } from './record/content.ts';
import { withStored } from './record/ownership.ts';
import { learnDefaults } from './record/platformValues.ts';
import { servicePointers } from './record/shapeFacts.ts';
import { atVersion, versionAfter } from './record/version.ts';

/**
 * Plans one resource again from its current live record; everything else is as in the snapshot. Undefined if nothing
 * remains to do. The applier calls this when a version has changed, and only the same patch may run then: effects on
 * other resources (edges, cascades, refusals) are omitted.
 */
export function makeReplan(desired: readonly DesiredResource[], snapshot: Snapshot, options: PlanOptions): Replan {
  const byId = new Map(desired.map((resource) => [resource.id, resource]));
  let resources: Map<ResourceId, LiveResource> | undefined;
  let hasLearnt = false;

  /** The draft of one resource with another live record, without copying the snapshot. */
  function draftOf(
    id: ResourceId,
    live: LiveResource,
    given: PlanOptions,
  ): { readonly draft: Draft | undefined; readonly planning: PlanContext } {
    resources ??= new Map(snapshot.resources);
    // A platform default shows only in all records, not in a single one.
    if (!hasLearnt) learnFromAll();
    resources.set(id, live);
    try {
      const resource = byId.get(id);
      const planning = makePlanContext(
        resource === undefined ? desired : [resource],
        { ...snapshot, resources, ...pastOf(snapshot, id, live) },
        given,
      );
      const draft =
        resource === undefined
          ? draftUndeclared(new Map([[id, live]]), planning)[0]
          : draftDeclared(resource, planning);
      return { draft, planning };
    } finally {
      const before = snapshot.resources.get(id);
      if (before === undefined) resources.delete(id);
      else resources.set(id, before);
    }
  }

  function learnFromAll(): void {
    hasLearnt = true;
    const { capabilities } = snapshot;
    if (capabilities === undefined || storedValues.every((each) => capabilities.of(each) === 'holds')) return;
    const planning = makePlanContext(desired, snapshot, options);
    planning.platformValues.learnFromAll();
    learnDefaults(planning);
  }

  function replan(id: ResourceId, live: LiveResource, isAnswer = false): Change | undefined {
    const { draft } = draftOf(id, live, { ...options, ...(isAnswer && { answers: new Map([[id, 'answer']]) }) });
    return draft === undefined || draft.action === 'keep' ? undefined : toChange(draft);
  }

  function ofAnswer(id: ResourceId, live: LiveResource, as: 'answer' | 'read'): AnswerReading | undefined {
    const resource = byId.get(id);
    if (resource === undefined) return undefined;
    const { draft, planning } = draftOf(id, live, { ...options, answers: new Map([[id, as]]) });
    const notes = learnDefaults(planning);
    const own = planning.platformValues.pathsOf(id);
    // An empty description equals none, whoever wrote it, so it needs no mark.
    const needsMark = [...own].some((path) => path !== 'description' || stringAt(live.record, path) !== '');
    const mark = draft?.action === 'keep' && needsMark ? markOf(resource, live, planning) : undefined;
    const isReplaced = draft?.action === 'replace';
    return {
      own: [...own, ...chosenPaths(resource, live)],
      left: isReplaced ? undefined : (draft?.fields ?? []).map(({ path }) => path),
      notes,
      ...present({ mark }),
    };
  }
  function learn(id: ResourceId, values: LiveValues): void {
    const resource = byId.get(id);
    if (resource !== undefined)
      byId.set(id, { ...resource, record: withLiveValues(resource.record, values), reads: [] });
  }
  return Object.assign(replan, { ofAnswer, learn });
}

function markOf(
  resource: DesiredResource,
  { record, uid, version }: LiveResource,
  { org, options: { hash } }: PlanContext,
): string | undefined {
  const text = stringAt(objectAt(record, 'tags'), appliedTag);
  const next = text === undefined ? undefined : withStored(text, uid, contentHash(resource, record, org, hash), hash);
  return next === undefined ? undefined : atVersion(next, versionAfter(version));
}

/** The undeclared fields that the platform chose. */
function chosenPaths(resource: DesiredResource, { record }: LiveResource): readonly string[] {
  const shape = shapeOf(resource.ref.kind, resource.record);
  const paths = servicePointers(shape, record).map((pointer) => formatPath(shape, record, pointer));
  return paths.filter((path) => pointerTo(path, shape, resource.record) === undefined);
}

/** The response to our own write, as a plan reads it. */
export interface AnswerReading {
  /** The paths that the platform stored in its own form. */
  readonly own: readonly string[];
  /** The paths that a plan would change; undefined if it would replace the record. */
  readonly left: readonly string[] | undefined;
  /** Findings about the platform. */
  readonly notes: readonly string[];
  /** `gantry/applied` for a write that only records the id and the content of the record that this stack wrote. */
  readonly mark?: string;
}

export interface Replan {
  /** `isAnswer`: it is the response to a write of this stack, so the platform's own forms are not differences. */
  (id: ResourceId, live: LiveResource, isAnswer?: boolean): Change | undefined;
  /** Undefined if the resource is not declared. */
  readonly ofAnswer?: (id: ResourceId, live: LiveResource, as: 'answer' | 'read') => AnswerReading | undefined;
  /** Provides the values that a resource takes from live records. */
  readonly learn?: (id: ResourceId, values: LiveValues) => void;
}

/** The planned record is now one of its earlier versions. */
function pastOf({ resources, past = new Map() }: Snapshot, id: ResourceId, live: LiveResource): Pick<Snapshot, 'past'> {
  const before = resources.get(id);
  if (before === undefined || before.uid !== live.uid || before.version >= live.version) return { past };
  return { past: new Map([...past, [live.uid, [before, ...(past.get(live.uid) ?? [])]]]) };
}

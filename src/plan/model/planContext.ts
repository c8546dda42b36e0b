import { type JsonObject, own, stringAt } from '../../base/json/json.ts';
import { addTo } from '../../base/multimap.ts';
import { once, onceFor } from '../../base/once.ts';
import { compareText } from '../../base/text/compareText.ts';
import { isNamedByEmail } from '../../kinds/kindFacts.ts';
import { blocksDeletion } from '../../kinds/referenceStrength.ts';
import { type Reference, references } from '../../kinds/references.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import type { LiveResource, Snapshot } from '../../manifest/live/snapshot.ts';
import type { DesiredResource } from '../../manifest/model/manifest.ts';
import { ownerOf, partTagOf } from '../../manifest/model/ownTags.ts';
import { parsePatterns, patternsBelow } from '../../patch/place.ts';
import type { Directives } from '../../patch/writePatch.ts';
import { contextOf, formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import { type Claims, claimsOn } from '../record/claims.ts';
import { type FieldClaims, fieldClaimsOn } from '../record/fieldClaims.ts';
import { type AppliedRecord, type Ownership, ownershipOf, ownerWithoutProject } from '../record/ownership.ts';
import { PlatformValues } from '../record/platformValues.ts';
import { shapeFacts } from '../record/shapeFacts.ts';
import { plannedAction } from './change.ts';
import type { PlanOptions } from './planOptions.ts';

export interface DesiredReferrer {
  readonly id: ResourceId;
  readonly path: string;
}

/** The immutable context of all parts of the planner; made once for each plan. */
export interface PlanContext {
  readonly options: PlanOptions;
  readonly snapshot: Snapshot;
  readonly org: string;
  readonly desired: ReadonlyMap<ResourceId, DesiredResource>;
  readonly desiredReferences: (resource: DesiredResource) => readonly Reference[];
  /** The declared resources whose references block the deletion of this one, with the places. */
  readonly desiredReferrers: (id: ResourceId) => readonly DesiredReferrer[];
  readonly liveReferences: (live: LiveResource) => readonly Reference[];
  /** The claims on the items of a record; `applied` is this stack's record if it owns the whole. */
  readonly claims: (live: LiveResource, applied?: AppliedRecord) => Claims;
  /** The claims on a part, including those from before the settings had a `project` if it takes them over. */
  readonly partClaims: (live: LiveResource) => Claims;
  /** This stack's name before that, if its resources are taken over (`--adopt`). */
  readonly former: string | undefined;
  /** Who set a field that the platform would otherwise choose, by path: this stack (`applied`) or a later writer. */
  readonly fieldClaims: (live: LiveResource, applied: AppliedRecord | undefined) => FieldClaims;
  /** Our written values that the platform stored in another form. */
  readonly platformValues: PlatformValues;
  /** Whether it has our owner tag, even if it is not ours. */
  readonly carriesOwner: (live: LiveResource) => boolean;
  readonly ownership: (live: LiveResource) => Ownership;
  /** All known live records: those read by owner or name, and those listed in closures of GVCs. */
  readonly known: ReadonlyMap<ResourceId, LiveResource>;
  /**
   * The tag in which this stack records its part of another owner's record; undefined if the stack's name is too long
   * for one.
   */
  readonly partTag: string | undefined;
  /** The live resource; also finds a user that is named by e-mail. */
  readonly liveAt: (ref: Ref) => LiveResource | undefined;
  /** Whether an earlier plan of the run creates or changes it. */
  readonly isPromised: (id: ResourceId) => boolean;
  /** The missing permission to view an existing record. */
  readonly hidden: (ref: Ref) => string | undefined;
}

export function makePlanContext(
  given: readonly DesiredResource[],
  snapshot: Snapshot,
  options: PlanOptions,
): PlanContext {
  const sorted = [...given].sort((a, b) => compareText(a.id, b.id));
  const desired = new Map(sorted.map((resource) => [resource.id, resource]));
  if (desired.size !== sorted.length) throw new Error('makePlan needs every resource once');

  const { org } = snapshot;
  const byEmail = once(() => usersByEmail(snapshot));
  // A link to another org is refused elsewhere; here it would be mistaken for one to this org.
  const referencesOf = (ref: Ref, record: JsonObject): readonly Reference[] =>
    references(ref.kind, record, contextOf(ref, org)).filter((reference) => reference.org === org);
  const desiredReferences = onceFor((resource: DesiredResource) => referencesOf(resource.ref, resource.record));
  const former = options.adopt ? ownerWithoutProject(options.owner) : undefined;
  const { capabilities } = snapshot;
  const asking = ({ uid }: LiveResource) => ({ hash: options.hash, past: snapshot.past?.get(uid), capabilities });
  const ownership = onceFor((live: LiveResource) => ownershipOf(live, options.owner, org, options.hash));
  const known = once(() => knownLive(snapshot));
  const referrers = once(() => indexReferrers(sorted, desiredReferences));
  return {
    options,
    snapshot,
    org,
    desired,
    desiredReferences,
    desiredReferrers: (id) => referrers().get(id) ?? [],
    get known() {
      return known();
    },
    partTag: partTagOf(options.owner),
    liveReferences: onceFor((live) => referencesOf(live.ref, live.record)),
    former,
    partClaims: (live) => claimsOn(live, { owner: options.owner, former, org, ...asking(live) }),
    claims: (live, applied) => claimsOn(live, { owner: options.owner, org, ...asking(live) }, applied),
    fieldClaims: (live, applied) => fieldClaimsOn(live, applied, asking(live)),
    platformValues: new PlatformValues({
      snapshot,
      desired,
      answers: options.answers ?? new Map(),
      hash: options.hash,
      appliedOf: (live) => {
        const owned = ownership(live);
        return owned.state === 'ours' ? owned.applied : undefined;
      },
    }),
    carriesOwner: (live) => ownerOf(live.record) === options.owner,
    ownership,
    isPromised: (id) => {
      const earlier = options.before?.get(id);
      return earlier !== undefined && plannedAction(earlier.change) !== 'delete';
    },
    hidden: (ref) => snapshot.hidden?.get(formatRef(ref)),
    liveAt: (ref) => {
      const live = snapshot.resources.get(formatRef(ref));
      if (live !== undefined || !isNamedByEmail(ref.kind)) return live;
      return byEmail().get(formatRef(ref));
    },
  };
}

function knownLive({ resources, closures }: Snapshot): ReadonlyMap<ResourceId, LiveResource> {
  const all = new Map<ResourceId, LiveResource>();
  for (const closure of closures.values()) for (const child of closure.children) all.set(child.id, child);
  for (const [id, live] of resources) all.set(id, live);
  return new Map([...all].sort(([a], [b]) => compareText(a, b)));
}

function indexReferrers(
  resources: readonly DesiredResource[],
  desiredReferences: (resource: DesiredResource) => readonly Reference[],
): ReadonlyMap<ResourceId, readonly DesiredReferrer[]> {
  const index = new Map<ResourceId, DesiredReferrer[]>();
  const add = (target: Ref, referrer: DesiredReferrer): void => addTo(index, formatRef(target), referrer);
  for (const resource of resources) {
    const { id, ref } = resource;
    if (ref.gvc !== undefined) add({ kind: 'gvc', name: ref.gvc }, { id, path: 'gvc' });
    for (const reference of desiredReferences(resource)) {
      if (blocksDeletion(ref.kind, reference)) add(reference.target, { id, path: reference.path });
    }
  }
  return index;
}

/** The directives that a patch may have, as the endpoint states and its responses have shown. */
export function directivesOf({ directives, capabilities }: Pick<Snapshot, 'directives' | 'capabilities'>): Directives {
  if (capabilities?.isOtherwise('write.replace') === true)
    return capabilities.isOtherwise('write.list') ? 'drop' : 'plain';
  return ofLists.some((id) => capabilities?.isOtherwise(id) === true) ? 'replace' : directives;
}

/** If one of these does not hold, whole lists are written. */
const ofLists = [
  'write.directives',
  'write.append',
  'write.patch-items',
  'write.drop-items',
  'write.retain',
  'write.list',
] as const;

/** Users by the reference that contains their e-mail. */
export function usersByEmail(snapshot: Snapshot): ReadonlyMap<ResourceId, LiveResource> {
  const users = new Map<ResourceId, LiveResource>();
  for (const live of snapshot.resources.values()) {
    const email = isNamedByEmail(live.ref.kind) ? stringAt(live.record, 'email') : undefined;
    if (email !== undefined) users.set(formatRef({ ...live.ref, name: email }), live);
  }
  return users;
}

/** The record that a replacement deleted, also under an old name, and that this one is to replace. */
export function deletedBefore(
  { id, ref, lifecycle }: DesiredResource,
  { snapshot: { unfinished } }: PlanContext,
): LiveResource | undefined {
  const { previously } = lifecycle;
  return (
    unfinished?.get(id) ??
    (previously === undefined ? undefined : unfinished?.get(formatRef({ ...ref, name: previously })))
  );
}

/** Sensitive fields that are to stay unchanged (`lifecycle.ignore`) and that the record does not show. */
export function unreadFields({ ref, record, lifecycle }: DesiredResource, from: LiveResource): readonly string[] {
  const ignored = parsePatterns(lifecycle.ignore);
  if (ignored.length === 0) return [];
  const { sensitive } = shapeFacts(shapeOf(ref.kind, record));
  return sensitive.filter((name) => patternsBelow(ignored, name).length > 0 && own(from.record, name) === undefined);
}

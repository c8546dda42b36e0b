import { isObject, type JsonObject, listAt, objectAt, own, sameJson, stringAt } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { runs, storesData } from '../../kinds/kindFacts.ts';
import { canonicalText } from '../../kinds/normalise.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { lastSegment, type RecordContext } from '../../schema/record/ref.ts';

/** The things that a container provides to its content, and that an update can remove. */
export const losableThings = ['location', 'location query', 'variable', 'pull secret', 'keda secret', 'keda'] as const;

/** Something that an update removes from the content of a GVC. */
export interface GvcLoss {
  readonly what: (typeof losableThings)[number];
  /** The name of the location, variable or secret; otherwise the same word as `what`. */
  readonly name: string;
}

/** A record in the container. */
export interface Inhabitant {
  readonly kind: Kind;
  readonly record: JsonObject;
}

type Hits = (record: JsonObject, name: string, context: RecordContext) => boolean;

interface Provision {
  /** The things that the container provides, by name. */
  readonly namesIn: (spec: JsonObject) => readonly string[];
  /** Whether losing this name affects a record that runs. */
  readonly hits: Hits;
  /** Whether it affects a record that stores data; absent if never. */
  readonly hitsStored?: Hits;
}

const always = (): boolean => true;

/**
 * The things that a GVC provides, and the records that use them (platform/gvc.placement, platform/gvc.env,
 * platform/volumeset.volumes).
 */
const provisions: Readonly<Record<GvcLoss['what'], Provision>> = {
  /** Every workload runs in every location of its GVC; a volume set is affected where it has a volume. */
  location: {
    namesIn: (spec) => names(objectAt(spec, 'staticPlacement'), 'locationLinks'),
    hits: always,
    hitsStored: hasVolumeIn,
  },
  /** The record does not show the matches of a location query: a change may remove any of them. */
  'location query': {
    namesIn: () => [],
    hits: always,
    hitsStored: always,
  },
  /** Workloads that inherit the environment and do not set this variable themselves. */
  variable: {
    namesIn: (spec) => listAt(spec, 'env').flatMap((each) => textOf(each, 'name')),
    hits: inheritsVariable,
  },
  /**
   * The record of a secret does not show which images it is for; images of the org's own registry need none
   * (platform/workload.images).
   */
  'pull secret': {
    namesIn: (spec) => names(spec, 'pullSecretLinks'),
    hits: pullsFromElsewhere,
  },
  'keda secret': {
    namesIn: (spec) => names(objectAt(spec, 'keda'), 'secrets'),
    hits: (record, name) => kedaScalings(record).some((keda) => secretsOf(keda).includes(name)),
  },
  keda: {
    namesIn: (spec) => (own(objectAt(spec, 'keda'), 'enabled') === true ? ['keda'] : []),
    hits: (record) => kedaScalings(record).length > 0,
  },
};

/**
 * The losses by an update, in the order of `losableThings`, sorted by name. A record without `spec` removes nothing.
 */
export function gvcLossesOf(before: JsonObject, after: JsonObject): readonly GvcLoss[] {
  if (!isObject(own(before, 'spec')) || !isObject(own(after, 'spec'))) return [];
  const [had, has] = [objectAt(before, 'spec'), objectAt(after, 'spec')];
  return losableThings.flatMap((what): readonly GvcLoss[] => {
    if (what === 'location query') return queryTaken(had, has) ? [{ what, name: what }] : [];
    const left = new Set(provisions[what].namesIn(has));
    const taken = new Set(provisions[what].namesIn(had).filter((name) => !left.has(name)));
    return [...taken].sort().map((name) => ({ what, name }));
  });
}

/** Whether any of these losses affects the record. */
export function isHit({ kind, record }: Inhabitant, losses: readonly GvcLoss[], context: RecordContext): boolean {
  const hitsOf = ({ hits, hitsStored }: Provision) => (runs(kind) ? hits : storesData(kind) ? hitsStored : undefined);
  return losses.some(({ what, name }) => hitsOf(provisions[what])?.(record, name, context) === true);
}

/** `location aws-eu-central-1`; only the word for things without a name. */
export function nameOfLoss({ what, name }: GvcLoss): string {
  return name === what ? what : `${what} ${name}`;
}

function queryTaken(had: JsonObject, has: JsonObject): boolean {
  const query = (spec: JsonObject) => own(objectAt(spec, 'staticPlacement'), 'locationQuery');
  return query(had) !== undefined && !sameJson(query(had), query(has));
}

function names(holder: JsonObject, field: string): readonly string[] {
  return listAt(holder, field).flatMap((link) => (typeof link === 'string' ? [lastSegment(link)] : []));
}

function textOf(value: unknown, field: string): readonly string[] {
  const text = isObject(value) ? stringAt(value, field) : undefined;
  return compact([text]);
}

/**
 * Whether it has a volume there that is not deleted; also true if the status has no `locations`, because then it is
 * unknown.
 */
function hasVolumeIn(volumeSet: JsonObject, location: string): boolean {
  const status = own(volumeSet, 'status');
  if (!isObject(status) || own(status, 'locations') === undefined) return true;
  return listAt(status, 'locations').some(
    (place) =>
      isObject(place) &&
      lastSegment(stringAt(place, 'name') ?? '') === location &&
      listAt(place, 'volumes').some((volume) => !isObject(volume) || own(volume, 'lifecycle') !== 'deleted'),
  );
}

function containersOf(workload: JsonObject): readonly JsonObject[] {
  return listAt(objectAt(workload, 'spec'), 'containers').filter(isObject);
}

function inheritsVariable(workload: JsonObject, name: string): boolean {
  return containersOf(workload).some(
    (container) =>
      own(container, 'inheritEnv') === true &&
      !listAt(container, 'env').some((variable) => isObject(variable) && own(variable, 'name') === name),
  );
}

function pullsFromElsewhere(workload: JsonObject, _: string, context: RecordContext): boolean {
  const ownImages = `/org/${context.org}/image/`;
  return containersOf(workload).some((container) => {
    const image = stringAt(container, 'image') ?? '';
    return !canonicalText(image, { canonical: 'image' }, context).startsWith(ownImages);
  });
}

/** The `keda` blocks of its options; an empty one for options that only name the metric. */
function kedaScalings(workload: JsonObject): readonly JsonObject[] {
  const spec = objectAt(workload, 'spec');
  return [own(spec, 'defaultOptions'), ...listAt(spec, 'localOptions')].flatMap((options) => {
    const autoscaling = isObject(options) ? objectAt(options, 'autoscaling') : {};
    const uses = own(autoscaling, 'metric') === 'keda' || Object.hasOwn(autoscaling, 'keda');
    return uses ? [objectAt(autoscaling, 'keda')] : [];
  });
}

function secretsOf(keda: JsonObject): readonly string[] {
  return listAt(keda, 'triggers').flatMap((trigger) =>
    isObject(trigger) ? textOf(own(trigger, 'authenticationRef'), 'name').map(lastSegment) : [],
  );
}

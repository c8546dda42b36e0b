import { createHash } from 'node:crypto';
import { type JsonObject, objectAt } from '../../src/base/json/json.ts';
import type { Closure, LiveResource, Snapshot } from '../../src/manifest/live/snapshot.ts';
import type { DesiredResource, Lifecycle } from '../../src/manifest/model/manifest.ts';
import { appliedTag, ownerTag } from '../../src/manifest/model/ownTags.ts';
import { makePlan } from '../../src/plan/makePlan.ts';
import type { Change } from '../../src/plan/model/change.ts';
import type { Plan } from '../../src/plan/model/plan.ts';
import type { Before, PlanOptions } from '../../src/plan/model/planOptions.ts';
import { type ItemPath, placeOf } from '../../src/plan/record/items.ts';
import {
  type AppliedFacts,
  type Hold,
  type Holds,
  itemHash,
  writeApplied,
  writePart,
} from '../../src/plan/record/ownership.ts';
import type { CreatableKind, Kind } from '../../src/schema/record/kinds.ts';
import { linkOf, type Ref } from '../../src/schema/record/ref.ts';

/** Defaults of the planner's tests: the org `o` and the stack `shop`. */
export const org = 'o';
export const owner = 'shop';

export function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** The permits of a plan by default. */
export const usualPermits = {
  adopt: false,
  prune: false,
  allowCollateral: 0,
  allowDataLoss: 0,
  allowLostValues: 0,
  maxDeletes: 10,
  allowEmpty: false,
  revertOperational: false,
  writeUnknownSecrets: false,
};

export const options: PlanOptions = {
  owner,
  scope: 'whole',
  ...usualPermits,
  wait: false,
  targets: [],
  excludes: [],
  maxRisk: undefined,
  maxChanges: undefined,
  hash,
};

function ref<K extends Kind>(id: string): Ref & { readonly kind: K } {
  const [kind, first = '', second] = id.split('/');
  const parts = second === undefined ? { kind, name: first } : { kind, name: second, gvc: first };
  return parts as Ref & { readonly kind: K };
}

/** Claims on items, by place. */
export function holds(set: readonly ItemPath[], found: readonly ItemPath[] = []): Holds {
  const of = (paths: readonly ItemPath[], hold: Hold) =>
    paths.map((path): [string, Hold] => [itemHash(placeOf(path), hash), hold]);
  return new Map([...of(set, 'set'), ...of(found, 'found')]);
}

/** The tag of a part of this stack, written at this version. */
export function partTag(
  stack: string,
  of: Ref,
  set: readonly ItemPath[],
  { found = [], version = 1 }: { readonly found?: readonly ItemPath[]; readonly version?: number } = {},
): Readonly<Record<string, string>> {
  const text = writePart({ link: linkOf(of, org), version, holds: holds(set, found) }, hash);
  return { [`gantry/applied.${stack}`]: text ?? '' };
}

let line = 0;

/** A declared resource: `declare('workload/g/web', { spec })`. Its line in `stack.yaml` is the `line` given. */
export function declare(id: string, fields: JsonObject = {}, lifecycle: Lifecycle = {}, at?: number): DesiredResource {
  const address = ref<CreatableKind>(id);
  line += 1;
  const own = at ?? line;
  return {
    ref: address,
    id,
    record: { name: address.name, ...fields },
    lifecycle,
    locate: () => ({ file: 'stack.yaml', line: own, column: 1 }),
  };
}

/** What another stack creates before. */
export function createdBefore(...ids: readonly string[]): Before {
  const { changes } = plan(
    ids.map((id) => declare(id)),
    [],
  );
  return new Map(changes.map((change) => [change.id, { change, found: undefined }]));
}

/** Facts in `gantry/applied`; `tagKeys` are the tags that the stack set. */
interface AppliedParts extends Partial<AppliedFacts> {
  readonly tagKeys?: readonly string[];
}

export interface LiveOptions {
  /** The owner tag; null for none. */
  readonly owner?: string | null;
  readonly applied?: AppliedParts | null;
  readonly version?: number;
}

/** A live record, by default as this stack would have written it. */
export function live(id: string, fields: JsonObject = {}, of: LiveOptions = {}): LiveResource {
  const address = ref(id);
  const { version = 1 } = of;
  const declared = objectAt(fields, 'tags');
  const { tagKeys = Object.keys(declared), ...applied } = of.applied ?? {};
  const facts: AppliedFacts = {
    link: linkOf(address, org),
    version,
    retain: false,
    holds: holds(tagKeys.map((key) => ['tags', key])),
    servicePaths: [],
    ...applied,
  };
  const tags = {
    ...declared,
    ...(of.owner === null ? {} : { [ownerTag]: of.owner ?? owner }),
    ...(of.applied === null ? {} : { [appliedTag]: writeApplied(facts, hash) }),
  };
  const record = {
    description: address.name,
    ...fields,
    id: `uid-${id}`,
    kind: address.kind,
    name: address.name,
    version,
    tags,
  };
  return { ref: address, id, uid: `uid-${id}`, version, record };
}

/** A live record without an owner. */
export function foreign(id: string, fields: JsonObject = {}): LiveResource {
  return live(id, fields, { owner: null, applied: null });
}

export function snapshot(resources: readonly LiveResource[], parts: Partial<Snapshot> = {}): Snapshot {
  return {
    org,
    resources: new Map(resources.map((each) => [each.id, each])),
    closures: new Map(),
    unrevealed: new Set(),
    directives: 'all',
    requests: 7,
    ...parts,
  };
}

export function closure(gvc: string, children: readonly LiveResource[], known = true): ReadonlyMap<string, Closure> {
  return new Map([[gvc, { known, children }]]);
}

export function plan(
  desired: readonly DesiredResource[],
  from: readonly LiveResource[] | Snapshot,
  given: Partial<PlanOptions> = {},
): Plan {
  const state = 'resources' in from ? from : snapshot(from);
  return makePlan(desired, state, { ...options, ...given });
}

export function changeOf(made: Plan, id: string): Change {
  const change = made.changes.find((each) => each.id === id);
  if (change === undefined)
    throw new Error(`no change for ${id} among ${made.changes.map((each) => each.id).join(' ')}`);
  return change;
}

/** `action id` of each change except `keep`. */
export function actions(made: Plan): readonly string[] {
  return made.changes.filter((each) => each.action !== 'keep').map((each) => `${each.action} ${each.id}`);
}

export function codes(made: Plan): readonly string[] {
  return [...made.refusals, ...made.changes.flatMap((each) => each.refusals)].map((each) => each.code).sort();
}

/** A workload with one container that mounts volume sets of its GVC. */
export function workload(image: string, mounts: readonly string[] = [], more: JsonObject = {}): JsonObject {
  const volumes = mounts.map((name) => ({ uri: `scheme://volumeset/${name}`, path: `/${name}` }));
  return {
    spec: {
      type: 'stateful',
      containers: [{ name: 'main', image, cpu: '50m', memory: '128Mi', ...(volumes.length === 0 ? {} : { volumes }) }],
      ...more,
    },
  };
}

/** A volume set with this number of existing volumes. */
export function volumeset(volumes: number, spec: JsonObject = {}): JsonObject {
  return {
    spec: { fileSystemType: 'ext4', initialCapacity: 10, performanceClass: 'general-purpose-ssd', ...spec },
    status: {
      locations: [
        {
          name: 'aws-eu-central-1',
          volumes: Array.from({ length: volumes }, (_, index) => ({ index, lifecycle: 'bound' })),
        },
      ],
    },
  };
}

export function volumesetSpec(spec: JsonObject = {}): JsonObject {
  return { spec: { fileSystemType: 'ext4', initialCapacity: 10, performanceClass: 'general-purpose-ssd', ...spec } };
}

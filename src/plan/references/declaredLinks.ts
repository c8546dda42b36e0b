import { compact } from '../../base/json/present.ts';
import { suggest, suggestFirst } from '../../base/text/suggest.ts';
import { isNeeded } from '../../kinds/referenceStrength.ts';
import { type Reference, references } from '../../kinds/references.ts';
import { livePlaces } from '../../manifest/live/liveReference.ts';
import type { LocatedProblem } from '../../manifest/model/locatedProblem.ts';
import type { DesiredResource, Position, ReadValue } from '../../manifest/model/manifest.ts';
import { isDeclarable } from '../../schema/record/kinds.ts';
import {
  contextOf,
  formatRef,
  gvcOf,
  lastSegment,
  type Ref,
  type ResourceId,
  refNamed,
} from '../../schema/record/ref.ts';

/** A target that a declared resource refers to or waits for. */
export interface DeclaredLink {
  readonly on: ResourceId;
  /** Its GVC, a reference in its record, a value of a live record, or `lifecycle.dependsOn`. */
  readonly by: 'gvc' | Reference | ReadValue | 'dependsOn';
  readonly path: string;
  position(): Position;
}

/** All links, regardless of live records. */
export function declaredLinks(resource: DesiredResource, org: string): readonly DeclaredLink[] {
  const { ref, record, lifecycle, reads = [], locate } = resource;
  return [
    ...compact([gvcOf(ref)]).map((gvc) => ({
      on: formatRef(gvc),
      by: 'gvc' as const,
      path: 'gvc',
      position: () => locate(['gvc']),
    })),
    ...references(ref.kind, record, contextOf(ref, org))
      .filter((reference) => reference.org === org)
      .map((reference) => ({
        on: formatRef(reference.target),
        by: reference,
        get path() {
          return reference.path;
        },
        position: () => locate(reference.pointer),
      })),
    ...reads.map((read) => ({
      on: read.id,
      by: read,
      path: read.text,
      position: () => locate(livePlaces(record, ({ text }) => text === read.text)[0] ?? []),
    })),
    ...(lifecycle.dependsOn ?? []).map((on, index) => ({
      on,
      by: 'dependsOn' as const,
      path: `lifecycle.dependsOn.${index}`,
      position: () => locate(['lifecycle', 'dependsOn', index]),
    })),
  ];
}

/** The reference in the record, if the link is one. */
export function referenceOf({ by }: DeclaredLink): Reference | undefined {
  return typeof by === 'string' || isRead(by) ? undefined : by;
}

/** Whether it is the value of a live record. */
export function isRead(by: DeclaredLink['by']): by is ReadValue {
  return typeof by === 'object' && 'text' in by;
}

/**
 * References whose target probably does not exist: an undeclared one in a GVC that is declared here, or a name almost
 * equal to a declared one. Live resources are unknown here, so these are warnings. `resources`: of all stacks of the
 * app; `isWhole`: there are no others.
 */
export function undeclaredReferences(
  resources: readonly DesiredResource[],
  { org, isWhole }: { readonly org: string; readonly isWhole: boolean },
): readonly LocatedProblem[] {
  const declared = new Set(resources.map(({ id }) => id));
  const renamed = renamedFrom(resources);
  const named = Map.groupBy(resources, ({ id }) => groupOf(id));
  // Cached: thousands of resources may name the same missing one.
  const meantBy = suggestFirst((id: ResourceId) => nearestTo(id, named));
  return openLinks(resources, declared, org).flatMap(({ resource, link, target }) => {
    if (renamed.has(link.on)) return [];
    const meant = isFromConstruct(link, resource) ? undefined : meantBy(link.on);
    const isInside = isWhole && target.gvc !== undefined && declared.has(formatRef({ kind: 'gvc', name: target.gvc }));
    if (meant === undefined && !isInside) return [];
    const hint =
      meant === undefined
        ? 'Correct the name, or declare it. If it is on the platform already, nothing is wrong.'
        : `Did you mean ${meant}?`;
    const message = `${link.on} is not declared in these manifests`;
    return [problemOf(resource, link, { rule: 'reference.undeclared', severity: 'warning', message, hint })];
  });
}

/** References to the old name of a renamed resource, which will not exist afterwards. */
export function renamedReferences(resources: readonly DesiredResource[], org: string): readonly LocatedProblem[] {
  const renamed = renamedFrom(resources);
  if (renamed.size === 0) return [];
  return openLinks(resources, new Set(resources.map(({ id }) => id)), org).flatMap(({ resource, link }) => {
    const next = renamed.get(link.on);
    if (next === undefined) return [];
    const reference = referenceOf(link);
    const severity = reference === undefined || isNeeded(resource.ref.kind, reference) ? 'error' : 'warning';
    const message = `${link.on} is the old name of ${next}`;
    return [
      problemOf(resource, link, { rule: 'reference.renamed', severity, message, hint: `Write the new name, ${next}.` }),
    ];
  });
}

function renamedFrom(resources: readonly DesiredResource[]): ReadonlyMap<ResourceId, ResourceId> {
  return new Map(
    compact(resources, ({ id, ref, lifecycle: { previously } }) =>
      previously === undefined ? undefined : ([formatRef({ ...ref, name: previously }), id] as const),
    ),
  );
}

interface OpenLink {
  readonly resource: DesiredResource;
  readonly link: DeclaredLink;
  readonly target: Ref;
}

/** References to undeclared targets that the code does not state to exist. */
function openLinks(
  resources: readonly DesiredResource[],
  declared: ReadonlySet<ResourceId>,
  org: string,
): readonly OpenLink[] {
  return resources.flatMap((resource) => {
    if (resource.lifecycle.handOver !== undefined) return []; // another stack manages it now
    return compact(declaredLinks(resource, org), (link) => {
      if (declared.has(link.on) || resource.existing?.includes(link.on) === true) return undefined;
      const target = refNamed(link.on);
      return target === undefined || !isDeclarable(target.kind) ? undefined : { resource, link, target };
    });
  });
}

/** Resources of one kind in one place, whose names may be confused. */
function groupOf(id: ResourceId): string {
  return id.slice(0, id.lastIndexOf('/'));
}

/** In code, a GVC and a URI mostly come from a construct: a declared or an existing one. */
function isFromConstruct(link: DeclaredLink, { existing }: DesiredResource): boolean {
  const reference = referenceOf(link);
  return existing !== undefined && (link.by === 'gvc' || (reference !== undefined && reference.fact === undefined));
}

function nearestTo(id: ResourceId, named: ReadonlyMap<string, readonly DesiredResource[]>): ResourceId | undefined {
  const known = named.get(groupOf(id)) ?? [];
  const name = lastSegment(id);
  const meant = suggest(
    name,
    known.map(({ ref }) => ref.name),
  );
  // `db-1` beside `db-2` is not a typo.
  if (meant === undefined || withoutDigits(meant) === withoutDigits(name)) return undefined;
  return known.find(({ ref }) => ref.name === meant)?.id;
}

function withoutDigits(name: string): string {
  return name.replaceAll(/\d+/g, '0');
}

function problemOf(
  { id }: DesiredResource,
  { by, path, position }: DeclaredLink,
  said: Pick<LocatedProblem, 'rule' | 'severity' | 'message' | 'hint'>,
): LocatedProblem {
  return { ...said, path: isRead(by) ? '' : path, pointer: [], position: position(), resource: id };
}

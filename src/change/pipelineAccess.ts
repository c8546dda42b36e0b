import { type JsonObject, objectAt, own } from '../base/json/json.ts';
import { compact } from '../base/json/present.ts';
import { compareText } from '../base/text/compareText.ts';
import { grantsAccess, hasMembers, hasPermission, hiddenField } from '../kinds/kindFacts.ts';
import { references } from '../kinds/references.ts';
import { type LiveReference, liveReferences } from '../manifest/live/liveReference.ts';
import { keyDescription } from '../manifest/live/shownOnce.ts';
import type { DesiredResource, Output } from '../manifest/model/manifest.ts';
import { ownerTag } from '../manifest/model/ownTags.ts';
import { isCustomKind } from '../schema/record/customKinds.ts';
import { gvcScopedKinds, isContainer, type Kind } from '../schema/record/kinds.ts';
import { contextOf, formatRef, type Ref, type ResourceId, shortLinkOf } from '../schema/record/ref.ts';

/** A stack that a pipeline plans and applies. */
export interface PipelineStack {
  readonly desired: readonly DesiredResource[];
  readonly outputs?: readonly Pick<Output, 'value'>[];
  /** The value of the tag `gantry/stack`. */
  readonly owner: string;
}

interface Pipeline {
  readonly stacks: readonly PipelineStack[];
  /** The declared resources of all stacks. */
  readonly desired: readonly DesiredResource[];
  readonly org: string;
}

/** The access of the two accounts of a pipeline to some records of one kind. */
export interface Access {
  /** The end of the policy's name; unique. */
  readonly name: string;
  readonly kind: Kind;
  readonly target: JsonObject;
  /** The permissions of the planning account; `apply`: of the applying one. */
  readonly plan: readonly string[];
  readonly apply: readonly string[];
}

/**
 * The access that a pipeline needs to plan, apply and destroy its stacks, and to detect drift: everything on the kinds
 * of a stack where the owner tag is its own; use of the targets of references; view of what is deleted with its GVCs;
 * the audit trail. Resources of other stacks or none are excluded. Custom kinds have no permissions
 * (platform/access.permissions).
 */
export function pipelineAccess(stacks: readonly PipelineStack[], org: string): readonly Access[] {
  const pipeline = { stacks, org, desired: stacks.flatMap(({ desired }) => desired) };
  return [
    ...accessToOwn(pipeline),
    ...accessToParts(pipeline),
    ...accessToReferences(pipeline),
    ...accessToReads(pipeline),
    ...accessToGvcs(pipeline),
    auditAccess,
  ];
}

function accessToOwn({ stacks, desired, org }: Pipeline): readonly Access[] {
  const keyed = new Set(compact(readsOf(stacks), (read) => (keyDescription(read) === undefined ? undefined : read.id)));
  const own = desired.filter(isOwn);
  const used = new Set(usedBy(desired, org).map(formatRef));
  return [...Map.groupBy(own, ({ ref }) => ref.kind)].sort(compareKinds).map(([kind, resources]) => ({
    name: `own-${kind}`,
    kind,
    target: { targetQuery: query(kind, ownersOf(kind, stacks)) },
    plan: readingOf(kind, resources, desired),
    apply: [
      ...['create', 'edit', 'delete'].filter((each) => hasPermission(kind, each)),
      ...(resources.some(({ id }) => used.has(id)) ? ['use'] : []),
      ...(resources.some(({ id }) => keyed.has(id)) ? ['addKey'] : []),
      ...(resources.some(hasLoadBalancer) ? ['configureLoadBalancer'] : []),
    ],
  }));
}

function isOwn({ lifecycle, ref }: DesiredResource): boolean {
  return lifecycle.part !== true && !isCustomKind(ref.kind);
}

/** The owner tags of the stacks that have the kind. */
function ownersOf(kind: Kind, stacks: readonly PipelineStack[]): readonly JsonObject[] {
  const having = stacks.filter(({ desired }) => desired.some((each) => each.ref.kind === kind && isOwn(each)));
  return having.map(({ owner }) => ({ op: '=', tag: ownerTag, value: owner }));
}

/** The reading of own resources: none if all are in own GVCs, whose content `ofGvcs` lets the accounts view. */
function readingOf(
  kind: Kind,
  resources: readonly DesiredResource[],
  desired: readonly DesiredResource[],
): readonly string[] {
  if (hiddenField(kind) !== undefined) return ['view', 'reveal'];
  const gvcs = new Set(desired.filter(({ ref }) => isContainer(ref.kind)).map(({ ref }) => ref.name));
  const isInOwn = ({ ref }: DesiredResource): boolean => ref.gvc !== undefined && gvcs.has(ref.gvc);
  return gvcScopedKinds.some((each) => each === kind) && resources.every(isInOwn) ? [] : ['view'];
}

function hasLoadBalancer({ ref, record }: DesiredResource): boolean {
  return (
    hasPermission(ref.kind, 'configureLoadBalancer') && own(objectAt(record, 'spec'), 'loadBalancer') !== undefined
  );
}

/** Edit of the records that others own and of which a stack declares a part. */
function accessToParts({ desired }: Pipeline): readonly Access[] {
  const parts = desired.filter(({ lifecycle }) => lifecycle.part === true);
  return accessByLinks(
    'part',
    parts.map(({ ref }) => ref),
    () => ({ plan: ['view'], apply: ['edit'] }),
  );
}

/** The access to the undeclared targets of references. */
function accessToReferences({ desired, org }: Pipeline): readonly Access[] {
  const targets = referredBy({ desired, org });
  const used = new Set(usedBy(desired, org).map(formatRef));
  return accessByLinks('refers', targets, (refs) => ({
    plan: ['view'],
    apply: ['view', ...(refs.some((ref) => used.has(formatRef(ref))) ? ['use'] : [])],
  }));
}

function referredBy({ desired, org }: Pick<Pipeline, 'desired' | 'org'>): readonly Ref[] {
  const declared = new Set(desired.map(({ id }) => id));
  return desired
    .flatMap(({ ref, record }) => references(ref.kind, record, contextOf(ref, org)))
    .filter((each) => each.org === org && !declared.has(formatRef(each.target)))
    .map(({ target }) => target);
}

/**
 * View and reveal of other records from which fields and outputs take values; targets of references are viewable
 * anyway, but not revealed.
 */
function accessToReads({ stacks, desired, org }: Pipeline): readonly Access[] {
  const declared = new Set(desired.map(({ id }) => id));
  const referred = new Set(referredBy({ desired, org }).map(formatRef));
  const reads = readsOf(stacks)
    .filter(({ id, ref }) => !declared.has(id) && !(referred.has(id) && hiddenField(ref.kind) === undefined))
    .map(({ ref }) => ref);
  return accessByLinks('reads', reads, (refs) => {
    const permissions = refs.some(({ kind }) => hiddenField(kind) !== undefined) ? ['view', 'reveal'] : ['view'];
    return { plan: permissions, apply: permissions };
  });
}

function readsOf(stacks: readonly PipelineStack[]): readonly Omit<LiveReference, 'text'>[] {
  return stacks.flatMap(({ desired, outputs = [] }) => [
    ...desired.flatMap(({ reads = [] }) => reads),
    ...outputs.flatMap(({ value }) => liveReferences(value)),
  ]);
}

/** References that need the permission `use` (platform/access.needs). */
function usedBy(desired: readonly DesiredResource[], org: string): readonly Ref[] {
  return desired
    .filter(({ ref }) => !hasMembers(ref.kind) && !grantsAccess(ref.kind))
    .flatMap(({ ref, record }) => references(ref.kind, record, contextOf(ref, org)))
    .filter((each) => each.org === org && hasPermission(each.target.kind, 'use'))
    .map(({ target }) => target);
}

function accessToGvcs({ desired }: Pipeline): readonly Access[] {
  const gvcs = desired.filter(({ ref }) => isContainer(ref.kind)).map(({ ref }) => ref.name);
  return gvcs.sort(compareText).flatMap((gvc) =>
    gvcScopedKinds.map((kind) => ({
      name: `in-${gvc}-${kind}`,
      kind,
      target: { targetQuery: query(kind, [{ op: '=', rel: 'gvc', value: gvc }]) },
      plan: ['view'],
      apply: ['view'],
    })),
  );
}

const auditAccess: Access = {
  name: 'audit',
  kind: 'auditctx',
  target: { targetLinks: [shortLinkOf({ kind: 'auditctx', name: 'scheme' })] },
  plan: ['readAudit'],
  apply: ['readAudit'],
};

function query(kind: Kind, terms: readonly JsonObject[]): JsonObject {
  return { kind, fetch: 'items', spec: { match: terms.length > 1 ? 'any' : 'all', terms } };
}

type Permissions = Pick<Access, 'plan' | 'apply'>;

function accessByLinks(
  name: string,
  refs: readonly Ref[],
  permissionsOf: (refs: readonly Ref[]) => Permissions,
): readonly Access[] {
  const unique = new Map<ResourceId, Ref>(refs.map((ref) => [formatRef(ref), ref]));
  const known = [...unique.values()].filter(({ kind }) => hasPermission(kind, 'view'));
  return [...Map.groupBy(known, ({ kind }) => kind)].sort(compareKinds).flatMap(([kind, own]) => {
    const links = own.map(shortLinkOf).sort(compareText);
    return linkLists(`${name}-${kind}`, links).map(({ name, targetLinks }) => ({
      name,
      kind,
      target: { targetLinks },
      ...permissionsOf(own),
    }));
  });
}

function compareKinds([a]: readonly [Kind, unknown], [b]: readonly [Kind, unknown]): number {
  return compareText(a, b);
}

/** The most links that one policy takes (platform/policy). */
const mostLinks = 200;

interface LinkList {
  /** Numbered from the second on. */
  readonly name: string;
  readonly targetLinks: readonly string[];
}

/** Splits links into target lists of as many policies as needed. */
export function linkLists(name: string, links: readonly string[]): readonly LinkList[] {
  return Array.from({ length: Math.ceil(links.length / mostLinks) }, (_, index) => ({
    name: index === 0 ? name : `${name}-${index + 1}`,
    targetLinks: links.slice(index * mostLinks, (index + 1) * mostLinks),
  }));
}

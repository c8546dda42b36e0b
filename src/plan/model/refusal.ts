import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { counted } from '../../base/text/counted.ts';
import { firstOf } from '../../base/text/firstOf.ts';
import { inWords } from '../../base/text/inWords.ts';
import { type ErrorCause, ToolError } from '../../base/toolError.ts';
import type { LiveReference } from '../../manifest/live/liveReference.ts';
import { makeAnother } from '../../manifest/live/shownOnce.ts';
import { formatPosition } from '../../manifest/model/locatedProblem.ts';
import type { Position } from '../../manifest/model/manifest.ts';
import type { Risk } from '../../schema/facts/risk.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { Problem } from '../../schema/record/problem.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { ownerWithoutProject } from '../record/ownership.ts';
import type { Refusal } from './change.ts';
import { flagOf } from './permits.ts';
import type { Plan } from './plan.ts';
import type { DeclaredUse } from './planOptions.ts';

/** A reference of a declared resource without an existing target. `at`: its place in the manifest. */
export interface DanglingReference {
  readonly target: ResourceId;
  readonly path: string;
  readonly at: Position;
}

/** Describes a live field that stays; the audit trail may add more. */
export const setByOthers = 'set not by this stack';

function wouldRefuse({ rule, path, message }: Problem): string {
  return `the platform would refuse the result (rule ${rule}${path === '' ? '' : `, ${path}`}): ${message}`;
}

/** Names the kinds that the platform does not list completely, and the reason. */
export function unlisted(gaps: ReadonlyMap<Kind, string>): string {
  const [why = ''] = gaps.values();
  return `the platform does not list every ${inWords([...gaps.keys()].sort(), 'and')} (${why})`;
}

/** The possible loss if a record is replaced without a mark. `carries`: values that no manifest has. */
export function unmarkedLoss(why: string, carries: readonly string[]): string {
  return (
    `it cannot be marked before it is deleted (${why}), so if the run is killed before it is created again, this is ` +
    `lost: ${firstOf(carries, 10)}`
  );
}

/** A sentence on how to permit it. */
export function permitHint({ allow }: Pick<Refusal, 'allow'>): string | undefined {
  if (allow === undefined) return undefined;
  return `To permit it${allow.startsWith('add ') ? ',' : ':'} ${allow}`;
}

/** All refusals of a plan or a change, each with what would permit it. */
export const refuse = {
  readAbsent: (id: ResourceId, path: string): Refusal => ({
    code: 'live.absent',
    message: `it takes ${path} of ${id}, which does not exist`,
    allow: `a manifest of ${id}, or an apply of the stack that declares it`,
  }),
  readHidden: (id: ResourceId, path: string, permission: string): Refusal => ({
    code: 'read.hidden',
    message: `it takes ${path} of ${id}, which this token cannot view (it lacks the permission ${permission})`,
    allow: `a policy that grants this token ${permission} on ${id}`,
  }),
  readLost: (read: LiveReference, record: JsonObject): Refusal => ({
    code: 'live.once',
    message: `it takes ${read.path} of ${read.id}, which was shown when it was made, and nobody can read it any more`,
    allow: makeAnother(read, record),
  }),
  readUnset: (id: ResourceId, path: string): Refusal => ({
    code: 'live.absent',
    message: `it takes ${path} of ${id}, which has none, and nothing in this plan sets it`,
    allow: `a value of ${path} in ${id}`,
  }),
  readReplaces: (id: ResourceId, path: string): Refusal => ({
    code: 'live.replaces',
    message: `${path} of ${id} is known only after apply, and whatever it will be may be a reason to replace this record`,
    allow: `--target ${id} first: then the value is known`,
  }),
  adoptNotAsked: (detail: string): Refusal => ({
    code: 'adopt.not-asked',
    message: `it already exists and ${detail}`,
    allow: `${flagOf('adopt')}, or lifecycle.adopt: true in its manifest`,
  }),
  adoptByReplacing: (path: string): Refusal => ({
    code: 'adopt.replace',
    message: `adopting it would delete it and create it again, because ${path} cannot be changed in place`,
    allow: 'lifecycle.replace: true in its manifest, or the live value for that field',
  }),
  ownedByOther: (owner: string, us: string): Refusal =>
    owner === ownerWithoutProject(us)
      ? {
          code: 'owner.other',
          message: `it belongs to the stack ${owner}, which is this one without the \`project\` of its gantry.yaml`,
          allow: '--adopt once, which takes it over',
        }
      : {
          code: 'owner.other',
          message: `it belongs to the stack ${owner}; if it was handed over, remove it here, which deletes nothing`,
          allow: `lifecycle.adopt: {from: ${owner}} in its manifest, if that stack hands it over to this one`,
        },
  handedToOther: (to: string, owner: string): Refusal => ({
    code: 'owner.other',
    message: `it is handed over to the stack ${to}, but belongs to the stack ${owner}`,
    allow: `lifecycle.handOver: ${owner} in its manifest, or no manifest here, which deletes nothing`,
  }),
  renameLoses: (kind: Kind, old: ResourceId, why: string, allowed: boolean): Refusal => ({
    code: `rename.${kind}`,
    message: `${old} cannot be renamed: ${why}`,
    ...(allowed ? { allow: 'lifecycle.replace: true in its manifest' } : {}),
  }),
  mountedByOther: (other: ResourceId, mounted: ResourceId): Refusal => ({
    code: 'rename.mounted',
    message:
      `only one workload at a time can mount ${mounted}, and ${other}, ` +
      'which does not belong to this stack, mounts it',
  }),
  renameMounted: (old: ResourceId, mounted: ResourceId): Refusal => ({
    code: 'rename.mounted',
    message:
      `only one workload at a time can mount ${mounted}, so ${old} would be deleted ` +
      'before the new one is created: nothing would serve in between',
    allow: 'lifecycle.replace: true in its manifest',
  }),
  renameUnread: (old: ResourceId, field: string): Refusal => ({
    code: 'rename.unread',
    message: `${field} of ${old} is under lifecycle.ignore and cannot be read, so it would be lost under the new name`,
    allow: `its value in the manifest, without lifecycle.ignore for ${field}`,
  }),
  renameReferenced: (by: ResourceId, path: string, at: Position, next: ResourceId): Refusal => ({
    code: 'rename.referenced',
    message: `${formatPosition(at)}: ${path} of ${by} still refers to the old name: write ${next} instead`,
  }),
  hidden: (id: ResourceId, permission: string): Refusal => ({
    code: 'read.hidden',
    message: `this token cannot view ${id} (it lacks the permission ${permission}), so it may already exist`,
    allow: `a policy that grants this token ${permission} on it`,
  }),
  deletesUnseen: (gvc: string, kinds: readonly Kind[]): Refusal => ({
    code: 'delete.unseen',
    message: `this token cannot view every ${inWords(kinds, 'and')} in the GVC ${gvc}: more than is shown may be deleted`,
    allow: `${flagOf('allowUnseen')}, or policies that grant this token view on these kinds`,
  }),
  victimsUnseen: (gvc: string, taken: readonly string[], kinds: readonly Kind[]): Refusal => ({
    code: 'update.unseen',
    message:
      `it takes away ${taken.join(', ')}, and this token cannot view every ` +
      `${inWords(kinds, 'and')} in the GVC ${gvc}, so more than is shown may be affected`,
    allow: `${flagOf('allowUnseen')}, or policies that grant this token view on these kinds`,
  }),
  /**
   * `kept`: the live fields that stay; `changed`: those that conflict with them; `owners`: the other stacks that own
   * the kept ones.
   */
  brokenRule: (
    problem: Problem,
    kept: readonly string[],
    changed: readonly string[],
    owners: readonly string[],
  ): Refusal => {
    const [first] = kept;
    const fields = first === undefined ? 'a live value' : kept.length > 5 ? firstOf(kept, 5) : inWords(kept, 'and');
    const what = changed.length === 0 ? 'what it changes' : firstOf(changed, 5);
    const stacks = `the stack${owners.length > 1 ? 's' : ''} ${inWords(owners, 'and')}`;
    return {
      code: 'update.rule',
      message:
        `${wouldRefuse(problem)}; ${fields}, which this manifest does not set, ` +
        `${kept.length > 1 ? 'stay as they are' : 'stays as it is'}, ` +
        (owners.length === 0 ? setByOthers : `because ${kept.length > 1 ? 'they belong' : 'it belongs'} to ${stacks}`),
      allow:
        owners.length === 0
          ? `${fields} in its manifest, lifecycle.ignore for ${what}, ` +
            `or another live value: ask the operator who set it`
          : `another value for ${what} here, or for ${fields} in ${stacks}`,
      ...present({ kept: first }),
    };
  },
  /** `tags`: those that this tool adds. */
  ownTags: (problem: Problem, tags: readonly string[]): Refusal => ({
    code: 'update.rule',
    message: `${wouldRefuse(problem)}; ${tags.length} of them are Gantry's own: ${tags.join(', ')}`,
    allow: 'fewer tags in its manifest',
  }),
  bodyTooLarge: (method: string, bytes: number, most: number): Refusal => ({
    code: 'update.limit',
    message: `its ${method} would have ${bytes} bytes, and the platform takes at most ${most}: declare less in it`,
  }),
  tooManyValues: (method: string, most: number): Refusal => ({
    code: 'update.limit',
    message: `its ${method} would have more than ${most} values, which the platform does not take: declare fewer of them`,
  }),
  beyondLimit: (path: string, message: string, at: Position | undefined): Refusal => ({
    code: 'update.limit',
    message: `the platform would refuse ${path === '' ? 'it' : path}: ${message}`,
    ...present({ place: at }),
  }),
  placeholder: (): Refusal => ({
    code: 'adopt.placeholder',
    message: 'its value is still the placeholder that gantry adopt wrote',
    allow: 'the real value in its manifest',
  }),
  masked: (): Refusal => ({
    code: 'plan.masked',
    message:
      'it would write a sensitive value that is not known, because a saved plan ' +
      'does not contain it: plan again from the manifest',
  }),
  tagCase: (keys: readonly string[]): Refusal => ({
    code: 'plan.tag-case',
    message: `this platform has keys of tags in lower case only: declare ${firstOf(keys, 10)} so`,
  }),
  referenceMissing: ({ target, path, at }: DanglingReference, meant?: ResourceId): Refusal => ({
    code: 'reference.missing',
    message:
      `${formatPosition(at)}: ${path} refers to ${target}, which is neither declared nor live` +
      (meant === undefined ? '' : `; did you mean ${meant}?`),
  }),
  /** `stack` declares the target. */
  referenceElsewhere: ({ target, path, at }: DanglingReference, stack: string): Refusal => ({
    code: 'reference.missing',
    message:
      `${formatPosition(at)}: ${path} refers to ${target}, which the stack ${JSON.stringify(stack)} declares and which ` +
      `is not live yet: apply that stack first, or all of them (--all; in a program, loadAll)`,
  }),
  apexMissing: (name: string, above: string, at: Position): Refusal => ({
    code: 'reference.missing',
    message:
      `${formatPosition(at)}: the sub-domain ${name} is in the DNS mode ns, which needs its apex domain in the org; ` +
      `no domain above it (${above}) is declared or live`,
  }),
  referenceGoes: ({ target, path, at }: DanglingReference): Refusal => ({
    code: 'reference.missing',
    message: `${formatPosition(at)}: ${path} refers to ${target}, which is no longer declared and will be deleted`,
  }),
  stillReferenced: (by: ResourceId, path: string): Refusal => ({
    code: 'delete.referenced',
    message: `${by} still refers to it at ${path}`,
  }),
  usedElsewhere: ({ by, path, owner, at, blocks }: DeclaredUse, total: number): Refusal => ({
    code: 'delete.referenced',
    message: `${by} of the stack ${owner} is declared to need it at ${path} (${formatPosition(at)})`,
    allow: `${blocks ? '' : `${flagOf('allowDangling', total)}, or `}no reference to it in the stack ${owner} any more`,
  }),
  declaredElsewhere: (stack: string, from: string): Refusal => ({
    code: 'delete.referenced',
    message: `the stack ${stack} declares it`,
    allow: `lifecycle.adopt: {from: ${from}} there, so that it is handed over`,
  }),
  /**
   * `lost`: the deleted record, if not the resource itself. `total`: the number of records that lose something they
   * need.
   */
  stillNeeded: (by: ResourceId, path: string, lost: ResourceId | undefined, total: number): Refusal => ({
    code: 'delete.referenced',
    message: `${by} stays, and needs ${lost ?? 'it'} at ${path}`,
    allow: `${flagOf('allowDangling', total)}, or no reference to it any more`,
  }),
  protectedRecord: (id: ResourceId): Refusal => ({
    code: 'delete.protected',
    message: `${id} is protected by the tag scheme/protected`,
    allow: 'lifecycle.protect: false in its manifest, applied before it is removed',
  }),
  bystanders: (ids: readonly ResourceId[], total: number): Refusal => ({
    code: 'delete.bystander',
    message: `it would also delete ${counted(ids.length, 'resource')} of other owners: ${ids.join(', ')}`,
    allow: flagOf('allowCollateral', total),
  }),
  dataLoss: (id: ResourceId, why: string, total: number): Refusal => ({
    code: 'delete.data',
    message: `the data of ${id} would be lost: ${why}`,
    allow: flagOf('allowDataLoss', total),
  }),
  replaceWithData: (id: ResourceId, why: string): Refusal => ({
    code: 'replace.data',
    message: `the data of ${id} would be lost: ${why}`,
    allow: 'lifecycle.replace: true in its manifest',
  }),
  lostValues: (fields: readonly string[], isLive: boolean, total: number): Refusal => ({
    code: 'plan.lost-values',
    message: isLive
      ? `${fields.join(', ')} is under lifecycle.ignore and cannot be read, so its value would be lost`
      : `${fields.join(', ')} is under lifecycle.ignore, but its value is lost: the audit trail contains no secrets`,
    allow: `${flagOf('allowLostValues', total)}, or its value in the manifest without lifecycle.ignore`,
  }),
  replaceUnmarked: (why: string, carries: readonly string[]): Refusal => ({
    code: 'replace.unmarked',
    message: unmarkedLoss(why, carries),
    allow: `${flagOf('allowUnmarked')}, or one tag less`,
  }),
  replaceUndeletable: (): Refusal => ({
    code: 'replace.undeletable',
    message: 'the platform never deletes it, so it cannot be replaced',
  }),
  closureUnknown: (gvc: string, because: string | undefined): Refusal => ({
    code: 'delete.closure-unknown',
    message:
      `the content of the GVC ${gvc} could not be listed completely, so it is not known what would be ` +
      `lost${because === undefined ? '' : ` (${because})`}`,
    allow:
      'lifecycle.retain: true in its manifest, once that is applied: the GVC stays, and the others can be deleted; ' +
      `gantry gvc delete ${gvc} --force then deletes it with everything in it`,
  }),
  pruneUnlisted: (gaps: ReadonlyMap<Kind, string>): Refusal => ({
    code: 'delete.unlisted',
    message: `${unlisted(gaps)}: it is not known what this stack has and does not declare`,
    allow: `no ${flagOf('prune')}: everything else works, and what you declare is read by its name`,
  }),
  destroyUnlisted: (gaps: ReadonlyMap<Kind, string>): Refusal => ({
    code: 'delete.unlisted',
    message: `${unlisted(gaps)}: resources of this stack that it does not show would be left behind`,
    allow: `${flagOf('allowUnseen')}, which deletes what is known`,
  }),
  tooMany: (count: number, replaced: number, limit: number): Refusal => ({
    code: 'delete.too-many',
    message:
      `${counted(count, 'resource')} would be ` +
      `deleted${replaced === 0 ? '' : `, ${replaced} of them to be created again`}; at ` +
      `most ${limit} are allowed`,
    allow: flagOf('maxDeletes', count),
  }),
  tooManyChanges: (count: number, limit: number): Refusal => ({
    code: 'plan.too-many-changes',
    message: `${counted(count, 'resource')} would be changed; at most ${limit} are allowed`,
    allow: flagOf('maxChanges', count),
  }),
  tooRisky: (beyond: readonly string[], limit: Risk, worst: Risk): Refusal => ({
    code: 'plan.risk',
    message: `the risk is greater than ${limit} for ${firstOf(beyond, 10)}`,
    allow: flagOf('maxRisk', worst),
  }),
  victims: (taken: readonly string[], ids: readonly ResourceId[], total: number): Refusal => ({
    code: 'update.victims',
    message:
      `it takes away ${taken.join(', ')} from ` +
      `${counted(ids.length, 'resource')} of other owners: ${ids.join(', ')}`,
    allow: flagOf('allowCollateral', total),
  }),
  victimsUnknown: (gvc: string, taken: readonly string[], because: string | undefined): Refusal => ({
    code: 'update.victims-unknown',
    message:
      `it takes away ${taken.join(', ')}, and the content of the GVC ${gvc} could not ` +
      `be listed completely, so it is not known what is affected${because === undefined ? '' : ` (${because})`}`,
  }),
  selectionBreaks: (excluded: ResourceId, by: ResourceId, because: string): Refusal => ({
    code: 'selection.breaks',
    message: `${excluded} is excluded, but ${by} needs it: ${because}`,
    allow: `no --exclude for ${excluded}, or also --exclude=${by}`,
  }),
  otherProject: (owner: string, count: number): Refusal => ({
    code: 'stack.other-project',
    message:
      `nothing that is declared here belongs to the stack ${owner}, which has ${counted(count, 'other resource')} that ` +
      'would be deleted: either another project has a stack of this name, or everything of this one was renamed or moved',
    allow:
      '`project: ID` in gantry.yaml, if it is another project; lifecycle.previously in the manifests of what was ' +
      `renamed, or \`gantry destroy --stack ${owner}\` beforehand, if it is this one`,
  }),
  emptyStack: (count: number): Refusal => ({
    code: 'stack.empty',
    message: `nothing is declared, so all ${count} resources of the stack would be deleted`,
    allow: flagOf('allowEmpty'),
  }),
} as const;

/** The error of a plan that must not run; undefined if it may. */
export function refusedPlan(plan: Plan): ToolError | undefined {
  const causes = [
    ...plan.refusals.map((refusal) => causeOf(refusal)),
    ...plan.changes.flatMap(({ id, refusals }) => refusals.map((refusal) => causeOf(refusal, id))),
  ];
  const [first, ...others] = causes;
  const refused = plan.changes.find(({ action }) => action === 'refuse');
  if (first === undefined && refused === undefined) return undefined;

  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return new ToolError({
    code: 'plan.refused',
    message: `the plan is refused, and nothing was written: ${first?.message ?? refused?.reason ?? ''}${more}`,
    hint: first?.hint ?? 'Resolve the refusals that the plan names, then plan again.',
    causes,
  });
}

function causeOf(refusal: Refusal, resource?: ResourceId): ErrorCause {
  const { code, message } = refusal;
  return { code, message, hint: permitHint(refusal), resource };
}

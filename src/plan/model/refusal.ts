import type { Position } from '../../manifest/model/manifest.ts';
import type { Risk } from '../../schema/facts/risk.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { counted } from '../../schema/text/counted.ts';
import { firstOf } from '../../schema/text/firstOf.ts';
import type { Refusal } from './change.ts';
import { flagOf } from './permits.ts';

/** Every reason for which a plan says no, each with what would allow it. */
export const refuse = {
  adoptNotAsked: (detail: string): Refusal => ({
    code: 'adopt.not-asked',
    message: `it exists already and ${detail}`,
    allow: `${flagOf('adopt')}, or lifecycle.adopt: true in its manifest`,
  }),
  adoptByReplacing: (path: string): Refusal => ({
    code: 'adopt.replace',
    message: `to adopt it, it would have to be deleted and created again, because ${path} cannot be changed in place`,
    allow: 'lifecycle.replace: true in its manifest, or the live value of that field',
  }),
  ownedByOther: (owner: string): Refusal => ({
    code: 'owner.other',
    message: `it belongs to the stack ${owner}; if it was handed over, remove it here: nothing is deleted then`,
    allow: `lifecycle.adopt: {from: ${owner}} in its manifest, where that stack hands it over to this one`,
  }),
  handedToOther: (to: string, owner: string): Refusal => ({
    code: 'owner.other',
    message: `it is handed over to the stack ${to}, but belongs to the stack ${owner}`,
  }),
  renameLoses: (kind: Kind, old: ResourceId, why: string, allowed: boolean): Refusal => ({
    code: `rename.${kind}`,
    message: `${old} cannot be renamed: ${why}`,
    ...(allowed ? { allow: 'lifecycle.replace: true in its manifest' } : {}),
  }),
  mountedByOther: (other: ResourceId, mounted: ResourceId): Refusal => ({
    code: 'rename.mounted',
    message: `${mounted} may be mounted by one workload at a time, and ${other}, which does not belong to this stack, mounts it`,
  }),
  renameMounted: (old: ResourceId, mounted: ResourceId): Refusal => ({
    code: 'rename.mounted',
    message: `${mounted} may be mounted by one workload at a time, so ${old} would have to go before the new one is there: nothing would serve meanwhile`,
    allow: 'lifecycle.replace: true in its manifest',
  }),
  renameUnread: (old: ResourceId, field: string): Refusal => ({
    code: 'rename.unread',
    message: `${field} of ${old} is to stay as it is there (lifecycle.ignore), and would be lost: nobody reads it to write it under another name`,
    allow: `its value in the manifest, and no lifecycle.ignore of ${field}`,
  }),
  renameReferenced: (by: ResourceId, path: string, at: Position, next: ResourceId): Refusal => ({
    code: 'rename.referenced',
    message: `${formatPosition(at)}: ${path} of ${by} still says this name, which goes: write ${next} there`,
  }),
  hidden: (id: ResourceId, permission: string): Refusal => ({
    code: 'read.hidden',
    message: `this token may not view ${id} (it lacks the permission ${permission}): it may be there already`,
    allow: `a policy that grants ${permission} on it to this token`,
  }),
  deletesUnseen: (gvc: string, kinds: readonly Kind[]): Refusal => ({
    code: 'delete.unseen',
    message: `this token may not view every ${listOfKinds(kinds)} in the GVC ${gvc}, so more than is shown may go along`,
    allow: `${flagOf('allowUnseen')}, or policies that grant view on these kinds to this token`,
  }),
  victimsUnseen: (gvc: string, taken: readonly string[], kinds: readonly Kind[]): Refusal => ({
    code: 'update.unseen',
    message: `it takes ${taken.join(', ')}, and this token may not view every ${listOfKinds(kinds)} in the GVC ${gvc}, so more than is shown may be hit`,
    allow: `${flagOf('allowUnseen')}, or policies that grant view on these kinds to this token`,
  }),
  placeholder: (): Refusal => ({
    code: 'adopt.placeholder',
    message: 'its value is the placeholder that gantry adopt wrote, and would be written as if it were one',
    allow: 'the value itself in its manifest',
  }),
  masked: (): Refusal => ({
    code: 'plan.masked',
    message:
      'it would write a value that is marked as sensitive, which a saved plan does not hold: plan again from the manifest',
  }),
  referenceMissing: (target: ResourceId, path: string, at: Position, goes: boolean, meant?: ResourceId): Refusal => ({
    code: 'reference.missing',
    message: `${formatPosition(at)}: ${path} refers to ${target}, which is ${goes ? 'no longer declared, and is deleted' : 'neither declared nor live'}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
  }),
  stillReferenced: (by: ResourceId, path: string): Refusal => ({
    code: 'delete.referenced',
    message: `${by} still refers to it at ${path}`,
  }),
  protectedRecord: (id: ResourceId): Refusal => ({
    code: 'delete.protected',
    message: `${id} is protected by the tag scheme/protected`,
    allow: 'lifecycle.protect: false in its manifest, applied before it is removed',
  }),
  bystanders: (ids: readonly ResourceId[], total: number): Refusal => ({
    code: 'delete.bystander',
    message: `it would take along ${ids.length} of others: ${ids.join(', ')}`,
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
      ? `${fields.join(', ')} is to stay as it is (lifecycle.ignore), and would be lost: its value cannot be read`
      : `${fields.join(', ')} was to stay as it was (lifecycle.ignore), and is lost: the audit trail holds no secrets`,
    allow: `${flagOf('allowLostValues', total)}, or its value in the manifest and no lifecycle.ignore of it`,
  }),
  replaceUndeletable: (): Refusal => ({
    code: 'replace.undeletable',
    message: 'the platform never deletes it, so it cannot be replaced',
  }),
  closureUnknown: (gvc: string): Refusal => ({
    code: 'delete.closure-unknown',
    message: `what the GVC ${gvc} holds could not be listed completely, so nobody can say what would be lost`,
  }),
  tooMany: (count: number, replaced: number, limit: number): Refusal => ({
    code: 'delete.too-many',
    message: `${counted(count, 'resource')} would be deleted${replaced === 0 ? '' : `, ${replaced} of them to be created again`}; at most ${limit} are allowed`,
    allow: flagOf('maxDeletes', count),
  }),
  tooManyChanges: (count: number, limit: number): Refusal => ({
    code: 'plan.too-many-changes',
    message: `${counted(count, 'resource')} would be changed, at most ${limit} allowed`,
    allow: flagOf('maxChanges', count),
  }),
  tooRisky: (beyond: readonly string[], limit: Risk, worst: Risk): Refusal => ({
    code: 'plan.risk',
    message: `at most ${limit} is allowed, and worse can be done to ${firstOf(beyond, 10)}`,
    allow: flagOf('maxRisk', worst),
  }),
  victims: (taken: readonly string[], ids: readonly ResourceId[], total: number): Refusal => ({
    code: 'update.victims',
    message: `it takes ${taken.join(', ')} from ${ids.length} of others: ${ids.join(', ')}`,
    allow: flagOf('allowCollateral', total),
  }),
  victimsUnknown: (gvc: string, taken: readonly string[]): Refusal => ({
    code: 'update.victims-unknown',
    message: `it takes ${taken.join(', ')}, and what the GVC ${gvc} holds could not be listed completely, so nobody can say who is hit`,
  }),
  selectionBreaks: (excluded: ResourceId, by: ResourceId, because: string): Refusal => ({
    code: 'selection.breaks',
    message: `${excluded} is excluded, but ${by} needs it: ${because}`,
    allow: `leaving out --exclude for ${excluded}, or --exclude=${by}`,
  }),
  emptyStack: (count: number): Refusal => ({
    code: 'stack.empty',
    message: `nothing is declared, so all ${count} resources of the stack would go`,
    allow: flagOf('allowEmpty'),
  }),
} as const;

/** `identity, volumeset and workload`. */
function listOfKinds(kinds: readonly Kind[]): string {
  const last = kinds.at(-1) ?? '';
  return kinds.length < 2 ? last : `${kinds.slice(0, -1).join(', ')} and ${last}`;
}

export function formatPosition({ file, line, column }: Position): string {
  return `${file}:${line}:${column}`;
}

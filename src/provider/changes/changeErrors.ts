import { ToolError } from '../../base/toolError.ts';
import { resourceType } from '../../hcl/schema/typeNames.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { WrittenKind } from '../../schema/record/kinds.ts';
import { formatRef, type Ref } from '../../schema/record/ref.ts';
import type { Holder } from '../platform/localStates.ts';
import type { Changed } from './changeContext.ts';

/** The approved change is not the one that would happen now. */
export function stale({ ref }: Changed, moved: string): ToolError {
  const id = formatRef(ref);
  return new ToolError({
    code: 'plan.stale',
    message: `${id} has changed since it was planned: ${moved}`,
    hint: 'Nothing was written to it. Plan again, review the difference, and apply the new plan.',
    resource: id,
  });
}

export const interruptedCode = 'provider.interrupted';

/** Ctrl-C: what is in flight is finished, and this was not. */
export function interrupted({ ref }: { readonly ref: Ref }): ToolError {
  const id = formatRef(ref);
  return new ToolError({
    code: interruptedCode,
    message: `${id} was not changed, because the run was interrupted`,
    hint: 'Apply again to continue.',
    resource: id,
  });
}

/** Ctrl-C while a deletion takes its time. */
export function deletionInterrupted({ ref }: { readonly ref: Ref }): ToolError {
  const id = formatRef(ref);
  return new ToolError({
    code: interruptedCode,
    message: `the deletion of ${id} was sent, and the run was interrupted before it was gone`,
    hint: 'Apply again: it is in the state until it is gone.',
    resource: id,
  });
}

/** Ctrl-C while the platform was asked; nothing was written. */
export function readInterrupted(): ToolError {
  return new ToolError({
    code: interruptedCode,
    message: 'the run was interrupted before the platform answered',
    hint: 'Nothing was written by this call. Run the command again.',
  });
}

/** Terraform tells a provider nothing of `lifecycle`, so that only the apply comes across it. */
const itsOwn =
  'If the resource itself has it and is replaced, remove create_before_destroy: a name is free once its record is deleted.';

/** Every platform has the org already. Taking it over would reset what the configuration leaves out, and no plan would show it. */
export function onlyImported({ name }: Ref): ToolError {
  return new ToolError({
    code: 'provider.only-imported',
    message: `the org ${name} exists already, and can only be imported`,
    hint: `Write import { to = gantry_org.NAME, id = "${name}" }: the plan then shows what the configuration changes in it.`,
  });
}

/** The name of a new resource is taken, by a record of others. */
export function taken({ kind, ref }: Changed, { uid }: Identified): ToolError {
  const id = formatRef(ref);
  return new ToolError({
    code: 'provider.exists',
    message: `${id} exists already (id ${uid}), and this state does not have it`,
    hint: `To manage it here, import it: ${importBlock(kind, ref)}. Or choose another name. ${itsOwn}`,
    resource: id,
  });
}

/** The name of a new resource is taken by what this configuration has created, for another resource as far as is known. */
export function heldElsewhere({ kind, ref }: Changed, { uid }: Identified, holder: Holder | undefined): ToolError {
  const id = formatRef(ref);
  const from = holder?.address ?? `${resourceType(kind)}.OTHER`;
  const whose =
    holder === undefined
      ? 'this configuration has created it, for another resource, provider block or state'
      : `${holder.address} in ${holder.file} has it`;
  return new ToolError({
    code: 'provider.held',
    message: `${id} exists already (id ${uid}): ${whose}`,
    hint: [
      'It is not taken over: two resources would manage it.',
      `- If it is the same resource under another address, write moved { from = ${from}, to = the new address }.`,
      `- To hand it over, write removed { from = ${from}, lifecycle { destroy = false } } where it is, and here ` +
        `${importBlock(kind, ref)}.`,
      `- ${itsOwn}`,
      '- If this apply deletes it first, apply again, or let the new one depend on that with depends_on.',
      ...(holder === undefined
        ? [
            '- If an apply was cut off on another machine, import it, or set take_over = true in the provider block once.',
          ]
        : []),
      '- Otherwise choose another name.',
    ].join('\n'),
    resource: id,
  });
}

function importBlock(kind: WrittenKind, ref: Ref): string {
  const importId = ref.gvc === undefined ? ref.name : `${ref.gvc}/${ref.name}`;
  return `import { to = ${resourceType(kind)}.NAME, id = "${importId}" }`;
}

/** A record by its id. */
type Identified = Pick<LiveResource, 'uid'>;

export function declaredTwice(ref: Ref): ToolError {
  const id = formatRef(ref);
  return new ToolError({
    code: 'provider.declared-twice',
    message: `${id} is declared by two resources of this configuration`,
    hint: 'Rename one of them; or, where a resource only got another address, write a moved block.',
    resource: id,
  });
}

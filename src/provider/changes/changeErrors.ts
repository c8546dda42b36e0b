import { ToolError } from '../../errors/toolError.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { formatRef, type Ref } from '../../schema/record/ref.ts';
import type { Changed } from './changeContext.ts';

/** What was approved is not what would happen now. */
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

/** The name of a new resource is taken. */
export function taken(type: string, { ref }: Changed, live: LiveResource, isOurs: boolean): ToolError {
  const id = formatRef(ref);
  const importId = ref.gvc === undefined ? ref.name : `${ref.gvc}/${ref.name}`;
  return new ToolError({
    code: 'provider.exists',
    message: `${id} exists already (id ${live.uid}), and this state does not have it`,
    hint: isOurs
      ? 'This configuration has created it. If another resource of it has the same name, rename one of the two; if an ' +
        'apply was cut off, plan again, and it will be taken over.'
      : `To manage it here, import it: import { to = ${type}.NAME, id = "${importId}" }. Or choose another name.`,
    resource: id,
  });
}

export function declaredTwice(ref: Ref): ToolError {
  const id = formatRef(ref);
  return new ToolError({
    code: 'provider.declared-twice',
    message: `${id} is declared by two resources of this configuration`,
    hint: 'Rename one of them; or, where a resource only got another address, write a moved block.',
    resource: id,
  });
}

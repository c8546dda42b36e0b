import { type PipelineStack, pipelineAccess } from '../../../change/pipelineAccess.ts';
import { pipelineManifests, pipelineName } from '../../../change/pipelineManifests.ts';
import { namedStacks } from '../../../gantry/loading/namedStack.ts';
import { toYaml } from '../../../project/files/toYaml.ts';
import { orgOf } from '../../../project/platform/platform.ts';
import { withoutLastLineEnd } from '../../../terminal/answer.ts';
import type { CommandContext } from '../../../terminal/context.ts';
import type { Ending } from '../../../terminal/ending.ts';
import { exitCode } from '../../../terminal/exitCode.ts';
import type { GlobalOptions } from '../../../terminal/options.ts';
import { UsageError } from '../../../terminal/usageError.ts';

export interface PolicyOptions extends GlobalOptions {
  /** The prefix of all printed names. */
  readonly name?: string;
}

/**
 * Prints the accounts and policies that a pipeline needs for its stacks, as manifests. Sends nothing to the platform.
 */
export async function runCiPolicy(context: CommandContext<PolicyOptions>, paths: readonly string[]): Promise<Ending> {
  const { options, terminal, answer } = context;
  if (options.name !== undefined) requireBeginning(options.name);
  const { stacks, settings } = await namedStacks(context, paths, { values: 'unread', all: true });
  const declaring = stacks.map(({ owner, desired = [], outputs = [] }) => ({ owner, desired, outputs }));
  const access = pipelineAccess(declaring, orgOf(context, settings));
  const manifests = pipelineManifests(options.name ?? usualName(declaring, settings.project), access);
  if (options.output === 'json') answer.document(manifests);
  else terminal.result(withoutLastLineEnd((await Promise.all(manifests.map(toYaml))).join('---\n')));
  return exitCode.ok;
}

/** The name of the only stack, or else of the project. */
function usualName(stacks: readonly PipelineStack[], project: string | undefined): string {
  const owners = stacks.map(({ owner }) => owner);
  return pipelineName(owners.length > 1 && project !== undefined ? project : owners.join('-'));
}

/** With the suffix `-apply` it must be a valid name of a service account (platform/concepts.names). */
function requireBeginning(name: string): void {
  if (/^[a-z][a-z0-9-]{0,57}$/.test(name)) return;
  throw new UsageError(
    `--name: ${JSON.stringify(name)} cannot begin the name of a service account`,
    'Use at most 58 lower-case letters, digits and hyphens, a letter first.',
  );
}

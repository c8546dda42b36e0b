import { leadsToLoopback } from '../../base/text/hostName.ts';
import { ToolError } from '../../base/toolError.ts';
import type { LoadedStack } from '../../gantry/loading/loadStack.ts';
import { addressesOf } from '../../project/settings/endpoints.ts';
import type { StackEntry, StackSource } from '../model.ts';
import type { Lease } from '../store/leases.ts';
import type { WorkerSurroundings } from './surroundings.ts';

/**
 * Two stacks with records of the same owner would undo each other's writes, so the second one fails. Errors:
 * `reconcile.same-owner`, `reconcile.org`.
 */
export async function claimOwner(
  entry: StackEntry,
  lease: Lease,
  { owner, settings: { endpoint, org } }: Pick<LoadedStack, 'owner' | 'settings'>,
  { store, orgs }: Pick<WorkerSurroundings, 'store' | 'orgs'>,
): Promise<void> {
  if (org !== undefined && orgs?.includes(org) === false) throw otherOrg(org, orgs);
  const records = platformsOf(endpoint).map((platform) => JSON.stringify([platform, org, owner]));
  const other = await store.claimOwner(lease, entry.mode === 'detect' ? [] : records);
  if (other !== undefined) throw sameOwner(entry, other, owner);
}

/** The platforms under normalised addresses; without an address, the embedded one. */
function platformsOf(endpoint: string | undefined): readonly string[] {
  const addresses = addressesOf(endpoint).map((address) => {
    if (!URL.canParse(address)) return address;
    const url = new URL(address);
    return leadsToLoopback(url) ? `${url.protocol}//loopback:${url.port}${url.pathname}` : address;
  });
  return addresses.length === 0 ? ['embedded'] : addresses;
}

function otherOrg(org: string, orgs: readonly string[]): ToolError {
  return new ToolError({
    code: 'reconcile.org',
    message: `stacks of the file that is followed may be in ${orgs.join(', ')}, and this one is in ${org}`,
    hint: 'Who runs the worker says that, by follow.orgs or --org.',
  });
}

function sameOwner(entry: StackEntry, other: StackEntry, owner: string): ToolError {
  const [mine, theirs] = [entry, other].map(({ name, source }) => `${name} (${sourceText(source)})`);
  return new ToolError({
    code: 'reconcile.same-owner',
    message: `${mine} and ${theirs} are the same stack, ${owner}: each would undo what the other one writes`,
    hint: 'Give one of them another name (stack in gantry.yaml, or in reconcile.yaml), or take it out of reconcile.yaml.',
  });
}

function sourceText(source: StackSource): string {
  if (source.kind === 'folder') return source.path;
  const { url, ref, path } = source;
  return [url, ref, path].filter((part) => part !== undefined).join(' ');
}

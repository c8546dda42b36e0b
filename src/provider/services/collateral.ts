import type { Diagnostic } from '../../hcl/diagnostic.ts';
import type { ObjectValue } from '../../hcl/value.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { ownerOf } from '../../manifest/model/ownTags.ts';
import { hitBy } from '../../plan/consequences/victims.ts';
import { isContainer } from '../../schema/record/kinds.ts';
import { formatRef } from '../../schema/record/ref.ts';
import { deletionCollateral, updateCollateral } from '../plan/collateral.ts';
import type { PlannedResource } from '../plan/planResource.ts';
import type { ProviderSession } from './providerSession.ts';
import { refOfState } from './state.ts';
import type { ResourceType } from './types.ts';

/** What is planned with a GVC that exists. */
export interface PlannedContainer {
  readonly config: ObjectValue | null;
  readonly prior: ObjectValue;
  readonly plan: PlannedResource;
}

/**
 * Resources of others that a change of a GVC affects, by name. A plan only warns of them: what is imported looks like
 * that of others until it is its turn. A deletion is refused by the apply, which counts what is left.
 */
export async function collateralOf(
  session: ProviderSession,
  type: ResourceType,
  { config, prior, plan }: PlannedContainer,
): Promise<readonly Diagnostic[]> {
  const { takes, requiresReplace } = plan;
  const isGoing = config === null || requiresReplace.length > 0;
  const ref = isContainer(type.kind) && (isGoing || takes.length > 0) ? refOfState(type, prior, undefined) : undefined;
  if (ref === undefined) return [];
  const id = formatRef(ref);
  const { client } = await session.platform();
  const children = await client.children(ref.name).catch(() => undefined);
  const others = await foreign(session, children ?? []);
  if (isGoing) return deletionCollateral(id, others.map(idOf), config ?? prior); // the apply says why it cannot be counted
  return updateCollateral(id, takes, children && hitBy(takes, others, client.org).map(idOf));
}

async function foreign(session: ProviderSession, children: readonly LiveResource[]): Promise<readonly LiveResource[]> {
  const { owner } = await session.platform();
  return children.filter((child) => ownerOf(child.record) !== owner && !session.handled.isInState(child.uid));
}

function idOf({ id }: LiveResource): string {
  return id;
}

import type { Diagnostic } from '../../hcl/diagnostic.ts';
import { own } from '../../hcl/schema/ownAttributes.ts';
import { attributeOf, type ObjectValue, unknown } from '../../hcl/value.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { ownerOf } from '../../manifest/model/ownTags.ts';
import { formatRef, type Ref } from '../../schema/record/ref.ts';
import { declaredTwice, heldElsewhere, taken } from '../changes/changeErrors.ts';
import type { PlannedResource } from '../plan/planResource.ts';
import { diagnosticOf } from '../protocol/diagnostics.ts';
import { isLeftBehind } from './leftBehind.ts';
import type { ProviderSession } from './providerSession.ts';
import { refOfState } from './state.ts';
import type { ResourceType } from './types.ts';

interface BeforeCreation {
  readonly diagnostics: readonly Diagnostic[];
  /** The id of the record that an apply of this configuration has created, and that the state lacks. */
  readonly adopts?: string;
}

const nothing: BeforeCreation = { diagnostics: [] };

/**
 * Is the name of a new resource free? What an unfinished apply has left is taken over, and never created a second time.
 * Whatever else this configuration has created is another resource's: the plan says so, and the apply takes nothing over.
 * `replaced`: the id of the record that this very resource has.
 */
export async function beforeCreation(
  session: ProviderSession,
  type: ResourceType,
  planned: ObjectValue,
  replaced: string | undefined,
): Promise<BeforeCreation> {
  const ref = attributeOf(planned, own.gvc) === unknown ? undefined : refOfState(type, planned, session.settings.gvc);
  if (ref === undefined) return nothing;
  const { handled } = session;
  if (!handled.creates(formatRef(ref))) throw declaredTwice(ref);
  const { records, owner } = await session.platform();
  const live = await records.foundBefore(ref);
  if (live === undefined || live.uid === replaced) return nothing;
  const changed = { kind: type.kind, ref };
  if (handled.isInState(live.uid)) return { diagnostics: ofResourceInState(session, ref, live) };
  if (ownerOf(live.record) !== owner) {
    return { diagnostics: [{ ...diagnosticOf(taken(changed, live), 'PlanResourceChange'), path: ['name'] }] };
  }
  if (await isLeftBehind(session, live)) {
    if (!handled.adopts(live.uid)) return nothing; // read meanwhile: it is in the state
    return { adopts: live.uid, diagnostics: [takenOver(ref, live)] };
  }
  if (handled.claims(live.uid) === 'stays') throw declaredTwice(ref);
  if (!handled.tells(live.uid)) return nothing;
  const conflict = heldElsewhere(changed, live, await session.states.holderOf(live.uid));
  return { diagnostics: [{ ...diagnosticOf(conflict, 'PlanResourceChange'), severity: 'warning', path: ['name'] }] };
}

/** Nothing to say of one whose own record is tainted: that is not planned, but replaced. */
function ofResourceInState({ handled }: ProviderSession, ref: Ref, { uid }: LiveResource): readonly Diagnostic[] {
  const fate = handled.claims(uid);
  if (fate === 'stays') throw declaredTwice(ref);
  return fate === 'goes' && handled.tells(uid) ? [{ ...otherAddress(ref), path: ['name'] }] : [];
}

interface PlannedInState {
  readonly uid: string;
  readonly prior: ObjectValue;
  readonly config: ObjectValue | null;
  readonly plan: PlannedResource;
}

/** The same, where the new resource was planned before the one that has the name. */
export function afterClaim(
  { handled, settings }: ProviderSession,
  type: ResourceType,
  { uid, prior, config, plan }: PlannedInState,
): readonly Diagnostic[] {
  const ref = refOfState(type, prior, settings.gvc);
  if (ref === undefined) return [];
  const stays = config !== null && formatRef(ref) === formatRef(plan.ref);
  const isClaimed = handled.plans(uid, stays ? 'stays' : 'goes');
  if (!isClaimed) return [];
  if (stays) throw declaredTwice(ref);
  return handled.tells(uid) ? [otherAddress(ref)] : [];
}

function takenOver(ref: Ref, { uid }: LiveResource): Diagnostic {
  return {
    severity: 'warning',
    summary: `${formatRef(ref)} exists already, and is taken over`,
    detail:
      `This configuration has created it (id ${uid}), and no state has it: an apply was cut off. It is not created again; ` +
      'what differs is changed.',
    path: ['name'],
  };
}

function otherAddress(ref: Ref): Diagnostic {
  return {
    severity: 'warning',
    summary: `${formatRef(ref)} is deleted at one address and created at another`,
    detail:
      'If it is the same resource under another address, write a moved block: it stays as it is then. Otherwise let the ' +
      'new one depend on the old one (depends_on), or apply twice: while the old one exists, the new one is refused.',
  };
}

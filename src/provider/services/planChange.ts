import type { Diagnostic } from '../../hcl/diagnostic.ts';
import { own } from '../../hcl/schema/ownAttributes.ts';
import { attributeOf, type ObjectValue, textAt, unknown } from '../../hcl/value.ts';
import { isStateOwner } from '../../manifest/model/ownTags.ts';
import { loadDialect } from '../../project/platform/dialectFile.ts';
import { isGvcScoped } from '../../schema/record/kinds.ts';
import { formatRef } from '../../schema/record/ref.ts';
import { declaredTwice } from '../changes/changeErrors.ts';
import { isNoChange, type PlannedResource, planResource } from '../plan/planResource.ts';
import { isForgotten } from '../plan/refusals.ts';
import { diagnosticMessage, pathMessage } from '../protocol/diagnostics.ts';
import type { RequestOf, ResponseOf } from '../protocol/messages.ts';
import { readObject, writeObject } from '../protocol/values.ts';
import { collateralOf } from './collateral.ts';
import { afterClaim, beforeCreation } from './names.ts';
import { platformWords } from './neutralWords.ts';
import { readPrivate, writePrivate } from './privateState.ts';
import type { ProviderSession } from './providerSession.ts';
import { refOfState, requireOwnOrg } from './state.ts';
import { type ResourceType, resourceTypeNamed } from './types.ts';

/** What a resource will be, and what speaks against it as far as it is known before the apply. */
export async function planChange(
  session: ProviderSession,
  request: RequestOf<'PlanResourceChange'>,
): Promise<ResponseOf<'PlanResourceChange'>> {
  const type = resourceTypeNamed(request.type_name);
  const { kind, attributes } = type;
  const proposed = readObject(request.proposed_new_state, attributes);
  const config = proposed === undefined ? null : (readObject(request.config, attributes) ?? null);
  const prior = readObject(request.prior_state, attributes) ?? null;
  if (prior !== null) requireOwnOrg(session, type, prior);
  const { settings } = session;
  const plan = planResource({
    kind,
    config,
    prior,
    org: settings.org,
    ...(settings.gvc === undefined ? {} : { gvc: settings.gvc }),
    ...(settings.maxRisk === undefined ? {} : { maxRisk: settings.maxRisk }),
  });
  const uid = textAt(prior, 'id');
  if (uid !== undefined && !session.handled.hasInState(uid)) {
    throw declaredTwice({ kind, name: textAt(prior, 'name') ?? '' });
  }
  const { planned, requiresReplace } = plan;
  const replaced = readPrivate(request.prior_private).of;
  const creation =
    prior === null && planned !== null ? await beforeCreation(session, type, planned, replaced) : undefined;
  const renamed = uid === undefined || prior === null ? [] : afterClaim(session, type, { uid, prior, config, plan });
  const collateral = prior === null ? [] : await collateralOf(session, type, { config, prior, plan });
  const dialect = await loadDialect(settings.dialect);
  const words = dialect === undefined || config === null ? [] : platformWords(kind, config, dialect);
  const related = await relatedDiagnostics(session, type, { config, prior, plan });
  return {
    planned_state: writeObject(planned ?? undefined, attributes),
    requires_replace: requiresReplace.map((path) => pathMessage(path, attributes)),
    planned_private: writePrivate({
      of: uid,
      adopts: creation?.adopts,
      version: planned === null && prior !== null ? await plannedVersion(session, type, prior) : undefined,
    }),
    diagnostics: [
      ...words,
      ...plan.diagnostics,
      ...(creation?.diagnostics ?? []),
      ...renamed,
      ...ofAnotherStack(session, { prior, plan }),
      ...collateral,
      ...related,
    ].map((each) => diagnosticMessage(each, attributes)),
  };
}

/** A change of what a stack of Gantry has, which would take it back; said once for each stack. */
function ofAnotherStack({ handled }: ProviderSession, { prior, plan }: Omit<Planned, 'config'>): readonly Diagnostic[] {
  const owner = handled.ownerOf(textAt(prior, 'id') ?? '');
  if (owner === undefined || isStateOwner(owner) || isNoChange(plan, prior) || !handled.tells(owner)) return [];
  const id = formatRef(plan.ref);
  return [
    {
      severity: 'warning',
      summary: `${id} belongs to the stack ${owner}`,
      detail:
        `The next \`gantry apply\` of ${owner} takes back what Terraform changes in it and in others of that stack. Let one of the two ` +
        'manage it: run `terraform state rm ADDRESS`, or delete the code of that stack, without `gantry destroy`.',
    },
  ];
}

/** The version that is to be deleted. What is no longer declared is planned before it is refreshed. */
async function plannedVersion(
  session: ProviderSession,
  type: ResourceType,
  prior: ObjectValue,
): Promise<number | undefined> {
  const [ref, uid] = [refOfState(type, prior, session.settings.gvc), textAt(prior, 'id')];
  if (ref === undefined || uid === undefined) return undefined;
  const known = session.handled.versionOf(uid);
  if (known !== undefined) return known;
  const live = await (await session.platform()).records.read({ ref });
  return live?.uid === uid ? live.version : undefined;
}

interface Planned {
  readonly config: ObjectValue | null;
  readonly prior: ObjectValue | null;
  readonly plan: PlannedResource;
}

/** What the rules over several resources find, now that this one is planned. */
async function relatedDiagnostics(
  session: ProviderSession,
  type: ResourceType,
  { config, prior, plan }: Planned,
): Promise<readonly Diagnostic[]> {
  const { planned: set } = await session.platform();
  const { kind } = type;
  const { ref, record, unknowns } = plan;
  const before = prior === null ? undefined : refOfState(type, prior, session.settings.gvc);
  const isGoing = before !== undefined && (config === null || formatRef(before) !== formatRef(ref));
  const gone = isGoing && prior !== null && !isForgotten(kind, prior) ? set.remove(before) : [];
  if (config === null || ref.name === '' || (isGvcScoped(kind) && ref.gvc === undefined)) return gone;
  const isPlaced = ['name', own.gvc].every((name) => attributeOf(config, name) !== unknown);
  if (record !== undefined && isPlaced)
    return [...gone, ...set.add({ kind, ref, record, unknowns, config, isWritten: !isNoChange(plan, prior) })];
  set.addOpen(ref);
  return gone;
}

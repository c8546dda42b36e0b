import { ownerOf } from '../../apply/steps/remove.ts';
import { formatRef } from '../../schema/record/ref.ts';
import type { Diagnostic } from '../../terraform/model/diagnostic.ts';
import { attributeOf, type ObjectValue, textAt, unknown } from '../../terraform/model/value.ts';
import { planResource } from '../../terraform/plan/planResource.ts';
import { own } from '../../terraform/schema/ownAttributes.ts';
import { resourceType } from '../../terraform/schema/typeNames.ts';
import { declaredTwice, taken } from '../changes/changeErrors.ts';
import { diagnosticMessage, diagnosticOf, pathMessage } from '../protocol/diagnostics.ts';
import type { RequestOf, ResponseOf } from '../protocol/messages.ts';
import { readObject, writeObject } from '../protocol/values.ts';
import { collateralOf } from './collateral.ts';
import { writePrivate } from './privateState.ts';
import type { ProviderSession } from './providerSession.ts';
import { relatedDiagnostics } from './related.ts';
import { refOfState } from './state.ts';
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
  const creation = prior === null && planned !== null ? await beforeCreation(session, type, planned) : undefined;
  const collateral = prior === null ? [] : await collateralOf(session, type, { config, prior, plan });
  const related = await relatedDiagnostics(session, type, { config, prior, plan });
  return {
    planned_state: writeObject(planned ?? undefined, attributes),
    requires_replace: requiresReplace.map((path) => pathMessage(path, attributes)),
    planned_private: writePrivate({
      adopts: creation?.adopts,
      version: planned === null && prior !== null ? await plannedVersion(session, type, prior) : undefined,
    }),
    diagnostics: [...plan.diagnostics, ...(creation?.diagnostics ?? []), ...collateral, ...related].map((each) =>
      diagnosticMessage(each, attributes),
    ),
  };
}

interface BeforeCreation {
  readonly diagnostics: readonly Diagnostic[];
  /** The id of the record that an apply of this configuration has created, and that the state lacks. */
  readonly adopts?: string;
}

const nothing: BeforeCreation = { diagnostics: [] };

/** Is the name free? A record of an unfinished apply is taken over, and never created a second time. */
async function beforeCreation(
  session: ProviderSession,
  type: ResourceType,
  planned: ObjectValue,
): Promise<BeforeCreation> {
  const ref = attributeOf(planned, own.gvc) === unknown ? undefined : refOfState(type, planned, session.settings.gvc);
  if (ref === undefined) return nothing;
  if (!session.handled.creates(formatRef(ref))) throw declaredTwice(ref);
  const { records, owner } = await session.platform();
  const live = await records.foundBefore(ref);
  if (live === undefined) return nothing;
  const isOurs = ownerOf(live.record) === owner;
  if (!isOurs) {
    const error = taken(resourceType(type.kind), { kind: type.kind, ref }, live, false);
    return session.handled.isInState(live.uid)
      ? nothing
      : { diagnostics: [{ ...diagnosticOf(error, 'PlanResourceChange'), path: ['name'] }] };
  }
  if (!session.handled.adopts(live.uid)) return nothing; // it is replaced
  return {
    adopts: live.uid,
    diagnostics: [
      {
        severity: 'warning',
        summary: `${formatRef(ref)} exists already, and is taken over`,
        detail:
          `This configuration has created it (id ${live.uid}), and this command has not come across it in the state: an ` +
          'apply was cut off. It is not created again; what differs is changed. Do not apply where another provider ' +
          'block, a resource outside of -target or another state of this folder has it: two would manage it.',
        path: ['name'],
      },
    ],
  };
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

import { isArray, isObject, type JsonValue, own as ownValue } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { fetchNamed } from '../../client/collections.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { SpellingError } from '../../dialect/translate.ts';
import type { Diagnostic } from '../../hcl/diagnostic.ts';
import { resourceType } from '../../hcl/schema/names.ts';
import { ownNames, withAllTags } from '../../hcl/schema/ownAttributes.ts';
import { attributeOf, type ObjectValue, textAt, unknown } from '../../hcl/value.ts';
import { attributePathOf } from '../../hcl/values/attributePath.ts';
import { manifestOf, pathText } from '../../hcl/values/manifestOf.ts';
import { isNamedByEmail, isNamedByHost, storesData } from '../../kinds/kindFacts.ts';
import { references } from '../../kinds/references.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import { isStateOwner, ownerOf } from '../../manifest/model/ownTags.ts';
import { affectedChildren } from '../../plan/consequences/cascade.ts';
import { loadDialect } from '../../project/platform/dialectFile.ts';
import { isContainer, isCreatableKind, isGvcScoped, isOrg, type WrittenKind } from '../../schema/record/kinds.ts';
import { contextOf, formatRef, type Ref } from '../../schema/record/ref.ts';
import {
  declaredTwice,
  heldElsewhere,
  movedAttributes,
  nameTakenError,
  onlyImported,
} from '../changes/changeContext.ts';
import { dangling, deletionCollateral, updateCollateral } from '../plan/collateral.ts';
import { isNoChange, type PlannedResource, planResource } from '../plan/planResource.ts';
import { dataLoss, isForgotten } from '../plan/refusals.ts';
import { declaredInBoth, portsWithRoutes } from '../plan/routes.ts';
import { configWithAll, ignoredAndSet, plannedApart } from '../platform/defaultTags.ts';
import { diagnosticMessage, diagnosticOf, pathMessage } from '../protocol/diagnostics.ts';
import type { RequestOf, ResponseOf } from '../protocol/messages.ts';
import { readObject, writeObject } from '../protocol/values.ts';
import { isLeftBehind } from './leftBehind.ts';
import { readPrivate, writePrivate } from './privateState.ts';
import type { ProviderSession } from './providerSession.ts';
import { refOfState, requireOwnOrg } from './state.ts';
import { type ResourceType, resourceTypeNamed } from './types.ts';

/** The planned value of a resource, and the objections to it that are known before the apply. */
export async function planChange(
  session: ProviderSession,
  request: RequestOf<'PlanResourceChange'>,
): Promise<ResponseOf<'PlanResourceChange'>> {
  const type = resourceTypeNamed(request.type_name);
  const { kind, attributes } = type;
  const proposed = readObject(request.proposed_new_state, attributes);
  const { settings } = session;
  const written = proposed === undefined ? undefined : readObject(request.config, attributes);
  const config = written === undefined ? null : configWithAll(written, settings.defaultTags);
  const before = readObject(request.prior_state, attributes);
  const prior = before === undefined ? null : withAllTags(before);
  if (prior !== null) requireOwnOrg(session, type, prior);
  const { client } = await session.platform();
  const { of: replaced, stored } = readPrivate(request.prior_private);
  const plan = planResource({
    kind,
    config,
    prior,
    stored,
    capabilities: client.capabilities,
    org: settings.org,
    ...present({ gvc: settings.gvc, maxRisk: settings.maxRisk }),
  });
  session.log('info', `plans to ${actionOf(plan, prior)} ${formatRef(plan.ref)}`, {
    resource: formatRef(plan.ref),
    attributes: prior === null || plan.planned === null ? undefined : movedAttributes(kind, prior, plan.planned),
    replaced_for: plan.requiresReplace.map(pathText),
    refused: plan.diagnostics.filter(({ severity }) => severity === 'error').map(({ summary }) => summary),
  });
  const uid = textAt(prior, 'id');
  if (uid !== undefined && !session.handled.noteInState(uid)) {
    throw declaredTwice({ kind, name: textAt(prior, 'name') ?? '' });
  }
  const { planned, requiresReplace } = plan;
  const creation =
    prior === null && planned !== null ? await beforeCreation(session, type, planned, replaced) : undefined;
  const renamed =
    uid === undefined || prior === null ? [] : addressChangeDiagnostics(session, type, { uid, prior, config, plan });
  const collateral = prior === null ? [] : await collateralOf(session, type, { config, prior, plan });
  const lost = prior === null ? [] : await dataLossOf(session, type, { config, prior, plan });
  const dialect = await loadDialect(settings.dialect);
  const words = dialect === undefined || config === null ? [] : platformWords(kind, config, dialect);
  const related = await relatedDiagnostics(session, type, { config, prior, plan });
  const missing = await missingTargets(session, type, { config, prior, plan });
  return {
    planned_state: writeObject(
      planned === null || written === undefined ? undefined : plannedApart(planned, written),
      attributes,
    ),
    requires_replace: requiresReplace.map((path) => pathMessage(path, attributes)),
    planned_private: writePrivate({
      of: uid,
      adopts: creation?.adopts,
      stored: prior === null ? undefined : stored,
      version: planned === null && prior !== null ? await plannedVersion(session, type, prior) : undefined,
    }),
    diagnostics: [
      ...words,
      ...plan.diagnostics,
      ...ignoredAndSet(config, settings.ignoredTags),
      ...lost,
      ...(creation?.diagnostics ?? []),
      ...renamed,
      ...ofAnotherStack(session, { prior, plan }),
      ...routesInBoth(session, type, config),
      ...collateral,
      ...related,
      ...missing,
    ].map((each) => diagnosticMessage(each, attributes)),
  };
}

/** The planned action, as one word for the log. */
function actionOf(plan: PlannedResource, prior: ObjectValue | null): string {
  if (plan.planned === null) return 'delete';
  if (prior === null) return 'create';
  if (plan.requiresReplace.length > 0) return 'replace';
  return isNoChange(plan, prior) ? 'keep' : 'update';
}

/** Warns once for each Gantry stack whose records are changed, because the stack would revert the change. */
function ofAnotherStack({ handled }: ProviderSession, { prior, plan }: Omit<Planned, 'config'>): readonly Diagnostic[] {
  const owner = handled.ownerOf(textAt(prior, 'id') ?? '');
  if (owner === undefined || isStateOwner(owner) || isNoChange(plan, prior) || !handled.isFirstReport(owner)) return [];
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

function routesInBoth(
  { handled }: ProviderSession,
  { kind }: ResourceType,
  config: ObjectValue | null,
): readonly Diagnostic[] {
  const name = textAt(config, 'name');
  if (!isNamedByHost(kind) || config === null || name === undefined) return [];
  const ports = portsWithRoutes(config).filter((port) => handled.noteRoutes(name, port, 'domain'));
  return ports.map((port) => declaredInBoth(name, port));
}

/** The version to delete. A resource that is no longer declared is planned before it is refreshed. */
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

/** The findings of the rules over several resources after planning this one. */
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
  const isPlaced = ['name', ownNames.gvc].every((name) => attributeOf(config, name) !== unknown);
  if (record !== undefined && isPlaced)
    return [...gone, ...set.add({ kind, ref, record, unknowns, config, isWritten: !isNoChange(plan, prior) })];
  set.addOpen(ref);
  return gone;
}

/**
 * Warns of references to records that do not exist and were not planned before. If another resource is about to create
 * one, Terraform does not know the order. Records in a GVC are skipped, because their GVC may not exist yet.
 */
async function missingTargets(
  session: ProviderSession,
  { kind }: ResourceType,
  { config, prior, plan }: Planned,
): Promise<readonly Diagnostic[]> {
  const { ref, record } = plan;
  if (config === null || record === undefined || isNoChange(plan, prior)) return [];
  const { client, records, planned } = await session.platform();
  const isAbsent = async (target: Ref): Promise<boolean> =>
    isNamedByEmail(target.kind)
      ? fetchNamed(client, target.kind, [target]).then(
          ({ resources }) => resources.length === 0,
          () => false,
        )
      : records.isAbsent(target);
  const found = references(kind, record, contextOf(ref, client.org)).map(async ({ target, org, pointer }) => {
    const isOpen = org !== client.org || isGvcScoped(target.kind) || planned.knows(target);
    if (isOpen || !(await isAbsent(target))) return [];
    const detail = isCreatableKind(target.kind)
      ? `If this configuration creates it, write ${resourceType(target.kind)}.NAME.link, so that Terraform knows the order.`
      : 'Check the name: only the platform creates it.';
    const path = attributePathOf(kind, pointer, config);
    return [{ severity: 'warning' as const, summary: `${formatRef(target)} does not exist`, detail, path }];
  });
  return (await Promise.all(found)).flat();
}

interface BeforeCreation {
  readonly diagnostics: readonly Diagnostic[];
  /** The id of the record that an apply of this configuration has created, and that is not in the state. */
  readonly adopts?: string;
}

const nothing: BeforeCreation = { diagnostics: [] };

/**
 * Checks that the name of a new resource is free. A record left by an unfinished apply is adopted, and never created
 * again. Other records of this configuration belong to other resources: the plan warns, and the apply adopts nothing.
 * `replaced`: the id of the record that this resource already has.
 */
async function beforeCreation(
  session: ProviderSession,
  type: ResourceType,
  planned: ObjectValue,
  replaced: string | undefined,
): Promise<BeforeCreation> {
  const ref =
    attributeOf(planned, ownNames.gvc) === unknown ? undefined : refOfState(type, planned, session.settings.gvc);
  if (ref === undefined) return nothing;
  if (isOrg(type.kind)) throw onlyImported(ref);
  const { handled } = session;
  if (!handled.noteCreation(formatRef(ref))) throw declaredTwice(ref);
  const { records, owner } = await session.platform();
  const live = await records.foundBefore(ref);
  if (live === undefined || live.uid === replaced) return nothing;
  const changed = { kind: type.kind, ref };
  if (handled.isInState(live.uid)) return { diagnostics: ofResourceInState(session, ref, live) };
  if (ownerOf(live.record) !== owner) {
    return { diagnostics: [{ ...diagnosticOf(nameTakenError(changed, live), 'PlanResourceChange'), path: ['name'] }] };
  }
  if (await isLeftBehind(session, live)) {
    if (!handled.noteAdoption(live.uid)) return nothing; // it was read in the meantime: it is in the state
    return { adopts: live.uid, diagnostics: [takeoverWarning(ref, live)] };
  }
  if (handled.noteNameClaim(live.uid) === 'stays') throw declaredTwice(ref);
  if (!handled.isFirstReport(live.uid)) return nothing;
  const conflict = await heldElsewhere(session.states, changed, live);
  return { diagnostics: [{ ...diagnosticOf(conflict, 'PlanResourceChange'), severity: 'warning', path: ['name'] }] };
}

/** Reports nothing if the record is this resource's own and tainted: it is replaced without a plan of its own. */
function ofResourceInState({ handled }: ProviderSession, ref: Ref, { uid }: LiveResource): readonly Diagnostic[] {
  const fate = handled.noteNameClaim(uid);
  if (fate === 'stays') throw declaredTwice(ref);
  return fate === 'goes' && handled.isFirstReport(uid) ? [{ ...addressChangeWarning(ref), path: ['name'] }] : [];
}

/** The same if the new resource was planned before the one that has the name. */
function addressChangeDiagnostics(
  { handled, settings }: ProviderSession,
  type: ResourceType,
  { uid, prior, config, plan }: PlannedChange & { readonly uid: string },
): readonly Diagnostic[] {
  const ref = refOfState(type, prior, settings.gvc);
  if (ref === undefined) return [];
  const keepsName = config !== null && formatRef(ref) === formatRef(plan.ref);
  const isClaimed = handled.notePlan(uid, keepsName ? 'stays' : 'goes');
  if (!isClaimed) return [];
  if (keepsName) throw declaredTwice(ref);
  return handled.isFirstReport(uid) ? [addressChangeWarning(ref)] : [];
}

function takeoverWarning(ref: Ref, { uid }: LiveResource): Diagnostic {
  return {
    severity: 'warning',
    summary: `${formatRef(ref)} exists already, and is taken over`,
    detail:
      `This configuration has created it (id ${uid}), and no state has it: an apply was cut off. It is not created again; ` +
      'what differs is changed.',
    path: ['name'],
  };
}

function addressChangeWarning(ref: Ref): Diagnostic {
  return {
    severity: 'warning',
    summary: `${formatRef(ref)} is deleted at one address and created at another`,
    detail:
      'If it is the same resource under another address, write a moved block: it stays as it is then. Otherwise let the ' +
      'new one depend on the old one (depends_on), or apply twice: while the old one exists, the new one is refused.',
  };
}

/** The data lost with a deletion, according to the record that was read for this plan. */
async function dataLossOf(
  session: ProviderSession,
  type: ResourceType,
  { config, prior, plan }: PlannedChange,
): Promise<readonly Diagnostic[]> {
  const { kind } = type;
  const paths = plan.requiresReplace;
  const ref = config === null || paths.length > 0 ? refOfState(type, prior, session.settings.gvc) : undefined;
  if (ref === undefined || !storesData(kind)) return [];
  const live = await (await session.platform()).records.foundBefore(ref);
  if (live === undefined || live.uid !== textAt(prior, 'id')) return [];
  return dataLoss({ kind, prior, allowedBy: config ?? prior, paths, live: live.record });
}

/** The planned change of a resource that exists. */
interface PlannedChange extends Planned {
  readonly prior: ObjectValue;
}

/**
 * Resources of others that a change of a GVC affects, or that need a deleted record, by name. A plan only warns: an
 * import looks like a resource of others until it is planned itself. The apply refuses a deletion; it counts the
 * remaining ones, and reports why it cannot count them.
 */
async function collateralOf(
  session: ProviderSession,
  type: ResourceType,
  { config, prior, plan }: PlannedChange,
): Promise<readonly Diagnostic[]> {
  const { takes, requiresReplace } = plan;
  const isGoing = config === null || requiresReplace.length > 0;
  const ref = isGoing || takes.length > 0 ? refOfState(type, prior, session.settings.gvc) : undefined;
  if (ref === undefined || (isGoing && isForgotten(type.kind, prior))) return [];
  const id = formatRef(ref);
  const { client, neededBy } = await session.platform();
  const children = isContainer(type.kind) ? await client.children(ref.name).catch(() => undefined) : [];
  const gone = isGoing ? [ref, ...(children ?? []).map((child) => child.ref)] : [];
  const { warnings: needWarnings } = dangling(id, await neededBy(gone).catch(() => []), config ?? prior);
  const others = await foreignChildren(session, children ?? []);
  if (isGoing) return [...needWarnings, ...deletionCollateral(id, others.map(idOf), config ?? prior)];
  return updateCollateral(id, takes, children && affectedChildren(takes, others, client.org).map(idOf));
}

async function foreignChildren(
  session: ProviderSession,
  children: readonly LiveResource[],
): Promise<readonly LiveResource[]> {
  const { owner } = await session.platform();
  return children.filter((child) => ownerOf(child.record) !== owner && !session.handled.isInState(child.uid));
}

function idOf({ id }: LiveResource): string {
  return id;
}

/**
 * The platform's own words in a configuration. Terraform keeps each value as written, and the provider translates the
 * platform's answers to neutral words: such a value would differ after every apply, so it is refused.
 */
export function platformWords(kind: WrittenKind, config: ObjectValue, dialect: Dialect): readonly Diagnostic[] {
  const { resource } = manifestOf(kind, config);
  try {
    const { value } = dialect.neutral(resource);
    const found = value === resource ? undefined : firstDifference(resource, value);
    return found === undefined ? [] : [refusal(found)];
  } catch (error) {
    if (!(error instanceof SpellingError)) throw error;
    return [{ severity: 'error', summary: error.message, detail: error.hint ?? '' }];
  }
}

interface Words {
  readonly written: string;
  readonly neutral: string;
}

function refusal({ written, neutral }: Words): Diagnostic {
  return {
    severity: 'error',
    summary: `${JSON.stringify(written)} is in the platform's own words`,
    detail: `Write ${JSON.stringify(neutral)}: the provider translates it by the dialect.`,
  };
}

/** The first name or text that differs. Both have the same form, with members in the same order. */
function firstDifference(written: JsonValue, neutral: JsonValue): Words | undefined {
  if (typeof written === 'string' && typeof neutral === 'string') {
    return written === neutral ? undefined : { written, neutral };
  }
  if (isArray(written) && isArray(neutral)) {
    for (const [index, item] of written.entries()) {
      const found = firstDifference(item, neutral[index] ?? null);
      if (found !== undefined) return found;
    }
  }
  if (!isObject(written) || !isObject(neutral)) return undefined;
  const others = Object.keys(neutral);
  for (const [index, key] of Object.keys(written).entries()) {
    const other = others[index] ?? key;
    if (other !== key) return { written: key, neutral: other };
    const found = firstDifference(ownValue(written, key) ?? null, ownValue(neutral, key) ?? null);
    if (found !== undefined) return found;
  }
  return undefined;
}

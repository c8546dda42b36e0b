import { randomBytes } from 'node:crypto';
import { defaultPatience } from '../../apply/run.ts';
import { compact, present } from '../../base/json/present.ts';
import { durationWithUnitMs } from '../../base/text/duration.ts';
import { withoutSecrets } from '../../base/text/withoutSecrets.ts';
import { hiddenTexts } from '../../client/hiddenTexts.ts';
import type { Attribute, Attributes } from '../../hcl/attribute.ts';
import type { AttributePath, Diagnostic } from '../../hcl/diagnostic.ts';
import { choiceOf } from '../../hcl/schema/kindLayout.ts';
import { resourceType } from '../../hcl/schema/names.ts';
import { ownNames, withAllTags, writeOnly } from '../../hcl/schema/ownAttributes.ts';
import {
  attributeOf,
  isListValue,
  isObjectValue,
  type ObjectValue,
  sameValue,
  unknown,
  type Value,
} from '../../hcl/value.ts';
import { pathText, withoutValues } from '../../hcl/values/manifestOf.ts';
import type { LiveResource } from '../../manifest/live/snapshot.ts';
import type { Change } from '../../plan/model/change.ts';
import { directivesOf } from '../../plan/model/planContext.ts';
import { isOrg } from '../../schema/record/kinds.ts';
import { formatRef } from '../../schema/record/ref.ts';
import {
  type ChangeContext,
  type Changed,
  heldElsewhere,
  interruptedCode,
  movedAttributes,
  onlyImported,
  stale,
  stateApplied,
  stateNow,
} from '../changes/changeContext.ts';
import { removeRecord } from '../changes/remove.ts';
import {
  bodyOf,
  type ChangeOutcome,
  changeOf,
  createRecord,
  type RunOptions,
  replanOf,
  requestOf,
  runChange,
  withStored,
} from '../changes/runChange.ts';
import { creationOf, patchFor } from '../plan/patchFor.ts';
import { isForgotten } from '../plan/refusals.ts';
import type { StoredValues } from '../plan/storedValues.ts';
import { configWithAll, plannedWithAll, shownApart } from '../platform/defaultTags.ts';
import { diagnosticMessage, diagnosticOf } from '../protocol/diagnostics.ts';
import type { RequestOf, ResponseOf } from '../protocol/messages.ts';
import { readObject, writeObject } from '../protocol/values.ts';
import { isLeftBehind } from './leftBehind.ts';
import { type PrivateState, privateOf, readPrivate, writePrivate } from './privateState.ts';
import type { ProviderSession } from './providerSession.ts';
import { refOfState, requireOwnOrg } from './state.ts';
import { type ResourceType, resourceTypeNamed } from './types.ts';

/** Creates, changes or deletes one resource. On a failure, the state contains what is known of the record. */
export async function applyChange(
  session: ProviderSession,
  request: RequestOf<'ApplyResourceChange'>,
): Promise<ResponseOf<'ApplyResourceChange'>> {
  const type = resourceTypeNamed(request.type_name);
  const { attributes } = type;
  const { defaultTags } = session.settings;
  const before = readObject(request.prior_state, attributes);
  const written = readObject(request.config, attributes);
  const approved = withKnownBlock(readObject(request.planned_state, attributes), written, type);
  const prior = before === undefined ? undefined : withAllTags(before);
  const config = written === undefined ? undefined : configWithAll(written, defaultTags);
  const planned = approved === undefined ? undefined : plannedWithAll(approved, written ?? approved, defaultTags);
  // A saved plan may be of another org, too.
  for (const each of [prior, planned]) if (each !== undefined) requireOwnOrg(session, type, each);
  const { records } = await session.platform();
  const { state, diagnostics, live, stored } = await records.write(() =>
    session.finish(
      planned === undefined
        ? remove(session, type, prior, readPrivate(request.planned_private))
        : write(session, type, {
            planned,
            prior,
            config: config ?? planned,
            kept: readPrivate(request.planned_private),
          }),
    ),
  );
  const ref = refOfState(type, planned ?? prior ?? {}, session.settings.gvc);
  const failed = diagnostics.filter(({ severity }) => severity === 'error').map(({ summary }) => summary);
  const verb = planned === undefined ? 'delete' : prior === undefined ? 'create' : 'update';
  session.log(
    failed.length > 0 ? 'error' : 'info',
    `${failed.length > 0 ? 'failed to' : 'did'} ${verb} ${ref === undefined ? request.type_name : formatRef(ref)}`,
    {
      ...present({ resource: ref === undefined ? undefined : formatRef(ref) }),
      id: live?.uid,
      version: live?.version,
      failed,
    },
  );
  const tags = attributeOf(approved ?? {}, 'tags');
  return {
    new_state: writeObject(
      state === undefined
        ? undefined
        : state === prior
          ? before
          : shownApart(state, tags === unknown ? attributeOf(written ?? {}, 'tags') : tags),
      attributes,
    ),
    private: writePrivate(live === undefined ? {} : { ...privateOf(live), stored }),
    diagnostics: diagnostics.map((each) => diagnosticMessage(each, attributes)),
  };
}

/** A plan may not know whether there is a block of write-only values; the state must contain it. */
function withKnownBlock(
  planned: ObjectValue | undefined,
  config: ObjectValue | undefined,
  { kind }: ResourceType,
): ObjectValue | undefined {
  if (planned === undefined || config === undefined || attributeOf(planned, writeOnly.data) !== unknown) return planned;
  return { ...planned, [writeOnly.data]: withoutValues(choiceOf(kind)?.form, attributeOf(config, writeOnly.data)) };
}

interface Applied {
  readonly state: ObjectValue | undefined;
  /** The last known record. */
  readonly live?: LiveResource;
  /** The values that the platform stored in its own way after the last write of it. */
  readonly stored?: StoredValues | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export async function contextOf(session: ProviderSession): Promise<ChangeContext> {
  const { discovery, ...platform } = await session.platform();
  const { creations, states, stopped, settings, patience } = session;
  return {
    ...platform,
    discovery: await discovery(),
    gvc: settings.gvc,
    ignoredTags: settings.ignoredTags,
    creations,
    states,
    stopped,
    patience,
  };
}

async function remove(
  session: ProviderSession,
  type: ResourceType,
  prior: ObjectValue | undefined,
  { version, stored }: PrivateState,
): Promise<Applied> {
  const ref = prior === undefined ? undefined : refOfState(type, prior, session.settings.gvc);
  if (prior === undefined || ref === undefined || isForgotten(type.kind, prior))
    return { state: undefined, diagnostics: [] };
  try {
    const patienceMs = timeoutOf(prior, 'delete');
    await removeRecord(await contextOf(session), { kind: type.kind, ref, prior, version, stored, patienceMs });
    return { state: undefined, diagnostics: [] };
  } catch (error) {
    return { state: prior, diagnostics: [diagnosticOf(error, 'ApplyResourceChange')] };
  }
}

interface Write {
  /** The private state that the plan keeps with the resource. */
  readonly kept: PrivateState;
  readonly planned: ObjectValue;
  readonly prior: ObjectValue | undefined;
  readonly config: ObjectValue;
}

async function write(session: ProviderSession, type: ResourceType, request: Write): Promise<Applied> {
  const { planned, prior } = request;
  const ref = refOfState(type, planned, session.settings.gvc);
  if (ref === undefined) throw new Error('the plan does not say where the resource is');
  const before: Changed = { kind: type.kind, ref, stored: request.kept.stored };
  const context = await contextOf(session);
  try {
    const { live, error, notes, stored = request.kept.stored } = await outcomeOf(session, context, before, request);
    const changed = { ...before, stored };
    const state = live === undefined ? prior : stateNow(context, changed, live, planned);
    if (live === undefined || state === undefined)
      return { state: prior, diagnostics: compact([errorDiagnostic(error)]) };
    if (prior === undefined && error?.code === interruptedCode) {
      // An error would make Terraform replace the resource.
      const note = 'It was created. The run was interrupted, so it was not waited for.';
      return { state, live, stored, diagnostics: [noteOf(formatRef(ref), note)] };
    }
    if (error === undefined) context.written.set(formatRef(ref), { as: 'stored', live });
    else
      return {
        state: prior === undefined ? state : keptOf(prior, state, error.code),
        live,
        stored,
        diagnostics: compact([errorDiagnostic(error)]),
      };
    const found = stateApplied(context, changed, live, planned);
    const { state: after, planDiagnostics } = asPlanned(formatRef(ref), {
      planned,
      found,
      config: request.config,
      hidden: hiddenTexts(type.kind, creationOf(type.kind, request.config)),
    });
    return {
      state: after,
      live,
      stored,
      diagnostics: [...planDiagnostics, ...notes.map((note) => noteOf(formatRef(ref), note))],
    };
  } catch (error) {
    return { state: prior, diagnostics: [diagnosticOf(error, 'ApplyResourceChange')] };
  }
}

/** Creates or changes the record, or adopts the one that an unfinished apply has created. */
async function outcomeOf(
  session: ProviderSession,
  context: ChangeContext,
  changed: Changed,
  { planned, prior, config, kept: { adopts } }: Write,
): Promise<ChangeOutcome> {
  const waits = attributeOf(config, ownNames.waitForReady) === true;
  const options = (operation: 'create' | 'update'): RunOptions => ({
    ...(waits ? { readyMs: timeoutOf(planned, operation) ?? defaultPatience.readinessMs } : {}),
  });
  if (prior !== undefined) {
    const { attributes } = resourceTypeNamed(resourceType(changed.kind));
    const approved = effectiveConfig(attributes, config, planned, prior);
    return updateRecord(context, { ...changed, config: approved, prior }, options('update'));
  }
  if (isOrg(changed.kind)) throw onlyImported(changed.ref);
  if (adopts !== undefined) {
    const live = await context.client.read(changed.ref);
    if (live?.uid === adopts) {
      if (!(await isLeftBehind(session, live))) {
        const conflict = await heldElsewhere(session.states, changed, live);
        return { live: undefined, error: conflict, notes: [] };
      }
      context.creations.answered(requestOf(live) ?? '');
      const found = stateNow(context, changed, live, undefined);
      return updateRecord(context, { ...changed, config, prior: found }, options('create'));
    }
  }
  return createRecord(
    context,
    { ...changed, config, request: randomBytes(9).toString('base64url') },
    options('create'),
  );
}

/** If the change failed after the write, the state has the written value; otherwise it is unchanged. */
function keptOf(prior: ObjectValue, written: ObjectValue, code: string): ObjectValue {
  return ['apply.not-ready', 'apply.divergence', 'apply.tag-case'].includes(code) ? written : prior;
}

function errorDiagnostic(error: unknown): Diagnostic | undefined {
  return error === undefined ? undefined : diagnosticOf(error, 'ApplyResourceChange');
}

function noteOf(id: string, note: string): Diagnostic {
  return { severity: 'warning', summary: id, detail: note };
}

function timeoutOf(state: ObjectValue, operation: 'create' | 'update' | 'delete'): number | undefined {
  const timeouts = attributeOf(state, ownNames.timeouts);
  const text = isObjectValue(timeouts) ? attributeOf(timeouts, operation) : null;
  return typeof text === 'string' ? durationWithUnitMs(text) : undefined;
}

/**
 * The configuration of an update as it was planned. Terraform applies `ignore_changes` to the configuration of a plan
 * but not to that of an apply: if they differ, the plan is the approved one.
 */
export function effectiveConfig(
  attributes: Attributes,
  config: ObjectValue,
  planned: ObjectValue,
  prior: ObjectValue,
): ObjectValue {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, attribute]) => {
      const wanted = attributeOf(config, name);
      if (attribute.writeOnly === true) return [name, wanted];
      return [name, effective(attribute, wanted, attributeOf(planned, name), attributeOf(prior, name))];
    }),
  );
}

function effective(attribute: Attribute, config: Value, planned: Value, prior: Value): Value {
  if (planned === unknown) return config;
  // An unset attribute has its default, or is unchanged.
  if (config === null) return planned !== null && sameValue(planned, prior) ? planned : null;
  if ('type' in attribute || planned === null) return planned;
  const { attributes, nesting } = attribute;
  const inside = (each: Value, plan: Value, old: Value): Value =>
    isObjectValue(each) && isObjectValue(plan)
      ? effectiveConfig(attributes, each, plan, isObjectValue(old) ? old : {})
      : plan;
  if (nesting === 'single') return inside(config, planned, prior);
  if (isListValue(planned)) {
    const [wanted, old] = [itemsOf(config), itemsOf(prior)];
    if (nesting !== 'list' || wanted.length !== planned.length) return planned;
    return planned.map((item, at) => inside(wanted[at] ?? null, item, old[at] ?? null));
  }
  if (!isObjectValue(planned) || !isObjectValue(config)) return planned;
  const before = isObjectValue(prior) ? prior : {};
  return Object.fromEntries(
    Object.entries(planned).map(([key, item]) => [
      key,
      inside(attributeOf(config, key), item, attributeOf(before, key)),
    ]),
  );
}

function itemsOf(value: Value): readonly Value[] {
  return isListValue(value) ? value : [];
}

interface Update extends Changed {
  /** Contains no unknown values. */
  readonly config: ObjectValue;
  /** The state that was planned with. */
  readonly prior: ObjectValue;
}

/**
 * Sends the smallest patch to the current record, under a precondition on its id and version. Later writes of other
 * clients are ignored if they do not change values of the state; otherwise nothing is written.
 */
async function updateRecord(
  context: ChangeContext,
  { config, prior, ...changed }: Update,
  options: RunOptions,
): Promise<ChangeOutcome> {
  const found = await context.client.read(changed.ref);
  const expectedId = prior['id'];
  if (found === undefined || (typeof expectedId === 'string' && found.uid !== expectedId)) {
    const what = found === undefined ? 'it no longer exists' : 'another record has its name now';
    return { live: undefined, error: stale(changed, what), notes: [] };
  }
  const first = patchChange(context, { config, prior, ...changed }, found);
  if (first === undefined) return waitOnly(context, changed, found, options);
  const moved = movedAttributes(changed.kind, prior, stateNow(context, changed, found, prior));
  if (moved.length > 0) return { live: found, error: stale(changed, `${moved.join(', ')} changed`), notes: [] };
  const declared = { config, prior, ...changed };
  const replan = replanOf(context, declared, (live) => patchChange(context, declared, live));
  const outcome = await runChange(context, first, { ...options, replan });
  return withStored(context, declared, { ...outcome, live: outcome.live ?? found });
}

function patchChange(
  { client, discovery, gvc }: ChangeContext,
  { config, prior, ...changed }: Update,
  live: LiveResource,
): Change | undefined {
  const found = patchFor({
    kind: changed.kind,
    config,
    prior,
    live: live.record,
    org: client.org,
    capabilities: client.capabilities,
    stored: changed.stored,
    directives: directivesOf({ directives: discovery.directives, capabilities: client.capabilities }),
    ...present({ gvc }),
  });
  if (found === undefined) return undefined;
  return {
    ...changeOf(changed),
    action: 'patch',
    fields: found.fields,
    patch: bodyOf(changed, found.patch),
    expected: bodyOf(changed, found.expected),
    liveUid: live.uid,
    liveVersion: live.version,
  };
}

/** Nothing has to be written: only instructions to the provider have changed, or the record has the values already. */
async function waitOnly(
  context: ChangeContext,
  changed: Changed,
  live: LiveResource,
  options: RunOptions,
): Promise<ChangeOutcome> {
  if (options.readyMs === undefined) return { live, error: undefined, notes: [] };
  const unchanged = { ...changeOf(changed), action: 'keep', liveUid: live.uid, liveVersion: live.version } as const;
  return { ...(await runChange(context, unchanged, options)), live };
}

interface Outcome {
  readonly planned: ObjectValue;
  readonly config: ObjectValue;
  /** The state that the platform returned. */
  readonly found: ObjectValue;
  /** The texts of secrets, which the platform may have repeated in other attributes. */
  readonly hidden: readonly string[];
}

/**
 * Terraform blames the provider if a value differs from the plan, although the platform stored a different one. Only
 * known values are compared. An undeclared value is the platform's default, which may differ from the documented one:
 * the state keeps the planned value until the next read.
 */
export function asPlanned(
  id: string,
  { planned, config, found, hidden }: Outcome,
): { readonly state: ObjectValue; readonly planDiagnostics: readonly Diagnostic[] } {
  const paths = differences(planned, found, []);
  const own = paths.filter((path) => valueAt(config, path) === null);
  const planDiagnostics = paths.map((path): Diagnostic => {
    const [value, now] = [shortText(valueAt(planned, path)), shortText(valueAt(found, path))];
    return own.includes(path)
      ? {
          severity: 'warning',
          summary: 'The platform has another default than planned',
          detail: String(
            withoutSecrets(
              `${id}: it filled in ${now} for ${pathText(path)}, which the configuration leaves out; ${value} was planned. ` +
                'The state shows it from the next plan on, and nothing has to be changed.',
              hidden,
            ),
          ),
          path,
        }
      : {
          severity: 'error',
          summary: `${id}: the platform stored a different ${pathText(path)} than planned`,
          detail: 'The resource was written. Plan again to see the difference, and adjust the configuration to match.',
          path,
        };
  });
  return {
    state: own.reduce((state, path) => withValue(state, path, valueAt(planned, path)), found),
    planDiagnostics,
  };
}

/** Null in an omitted value. */
function valueAt(value: Value, [step, ...rest]: AttributePath): Value {
  if (step === undefined) return value;
  if (isListValue(value)) return valueAt(value[Number(step)] ?? null, rest);
  return isObjectValue(value) ? valueAt(attributeOf(value, String(step)), rest) : null;
}

function withValue(object: ObjectValue, [step, ...rest]: AttributePath, value: Value): ObjectValue {
  const members = Object.entries(object);
  return Object.fromEntries(members.map(([name, old]) => [name, name === step ? replaced(old, rest, value) : old]));
}

function replaced(before: Value, path: AttributePath, value: Value): Value {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (isListValue(before)) return before.map((item, index) => (index === step ? replaced(item, rest, value) : item));
  return isObjectValue(before) ? withValue(before, path, value) : before;
}

function shortText(value: Value): string {
  return value === null ? 'nothing' : JSON.stringify(value);
}

function differences(planned: Value, state: Value, path: AttributePath): readonly AttributePath[] {
  if (planned === unknown) return [];
  if (isListValue(planned) && isListValue(state) && planned.length === state.length) {
    return planned.flatMap((item, index) => differences(item, state[index] ?? null, [...path, index]));
  }
  if (isObjectValue(planned) && isObjectValue(state)) {
    const names = [...new Set([...Object.keys(planned), ...Object.keys(state)])];
    return names.flatMap((name) => differences(attributeOf(planned, name), attributeOf(state, name), [...path, name]));
  }
  return planned === state ? [] : [path];
}

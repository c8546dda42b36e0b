import { At, sentenceOf, tryRead } from '../base/form/read.ts';
import { isArray, isObject, type JsonObject, numberAt, objectAt, own, stringAt } from '../base/json/json.ts';
import { canonicalText } from '../base/json/jsonText.ts';
import { masked } from '../base/json/mask.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { compact, present } from '../base/json/present.ts';
import { withValues } from '../base/json/valuesAt.ts';
import { ToolError } from '../base/toolError.ts';
import { customKinds } from '../kinds/readCustomKind.ts';
import { shapeOf } from '../kinds/shapeOf.ts';
import { Body } from '../manifest/model/body.ts';
import type { DesiredResource, Locate, Position } from '../manifest/model/manifest.ts';
import { type Change, isChange } from '../plan/model/change.ts';
import { permitsOf } from '../plan/model/permits.ts';
import { pointerOfField } from '../plan/record/shapeFacts.ts';
import { customKindFacts, defineCustomKinds } from '../schema/record/customKinds.ts';
import { formatRef } from '../schema/record/ref.ts';
import { savedPlanName } from './isSavedPlan.ts';
import { type SavedChange, type SavedDeclaration, type SavedStack, savedStackForm } from './savedForm.ts';
import { type Digest, type JudgedBy, type SavedPlan, type SavedSecret, savedFormatVersion } from './savedPlan.ts';
import { maskedRecord } from './savedSecrets.ts';

/**
 * Reads the plans in a file, of one stack or of several in the order of applying; also registers their custom kinds in
 * this process. `digests`: those that this reader trusts; with a key, only the one made with it.
 *
 * Errors: `saved.damaged` if incomplete or contradictory, `saved.newer-format`, `saved.unsigned` and
 * `saved.key-missing` if the digest cannot be checked here, `saved.tampered` if it differs.
 */
export function readSavedPlans(text: string, digests: readonly Digest[]): readonly SavedPlan[] {
  const file = parse(text);
  checkWhole(file, digests);
  const { digest: _digest, ...content } = file;
  const stacks = Object.hasOwn(file, 'stacks') ? own(file, 'stacks') : [content];
  if (!isArray(stacks) || stacks.length === 0) throw damagedError('it has no plan of a stack');
  const plans = stacks.map((stack) => readPlan(isObject(stack) ? stack : {}));
  // All are applied in the org and environment of the first one.
  const places = new Set(plans.map(({ plan, inputs }) => canonicalText([plan.org, inputs.environment ?? null])));
  if (places.size > 1) throw damagedError('its plans are of several orgs or environments');
  return plans;
}

function readPlan(file: JsonObject): SavedPlan {
  defineKinds(objectAt(file, 'kinds'));
  if (!savedStackForm.is(file)) throw damagedError(`it does not have the form of a plan: ${firstProblem(file)}`);
  const other = file.changes.find(isInconsistent);
  if (other !== undefined) throw damagedError(`the change of ${other.id} is about another resource`);
  return fromFile(file);
}

function checkWhole(file: JsonObject, digests: readonly Digest[]): void {
  const version = numberAt(file, 'formatVersion');
  if (version !== undefined && version > savedFormatVersion) throw newerFormat(version);
  checkDigest(file, digests);
}

function firstProblem(file: JsonObject): string {
  const read = tryRead(() => savedStackForm.read(file, new At()));
  const [first] = 'problems' in read ? read.problems : [];
  return first === undefined ? 'a value is null that must not be' : sentenceOf(first);
}

function parse(text: string): JsonObject {
  let file: unknown;
  try {
    file = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw damagedError('it is not complete JSON: it was cut off or edited');
  }
  if (!isObject(file) || own(file, 'gantry') !== savedPlanName) throw damagedError('it is not a saved plan');
  return file;
}

/** Registers the custom kinds as they were known at the approval. */
function defineKinds(kinds: JsonObject): void {
  const read = tryRead(() => customKinds.read(kinds, new At().key('kinds')));
  if ('problems' in read) throw damagedError(read.problems.map((problem) => sentenceOf(problem)).join('; '));
  defineCustomKinds(read.value);
}

function checkDigest(file: JsonObject, digests: readonly Digest[]): void {
  const { digest: _digest, ...content } = file;
  const method = stringAt(objectAt(file, 'digest'), 'method');
  const digest = digests.find((each) => each.method === method);
  if (digest === undefined) throw uncheckable(method);
  if (digest.of(canonicalText(content)) === stringAt(objectAt(file, 'digest'), 'value')) return;
  throw new ToolError({
    code: 'saved.tampered',
    message: 'this plan was changed after it was saved: its digest does not match its content',
    hint:
      method === 'hmac-sha256'
        ? 'Set GANTRY_SECRET_KEY to the key that it was saved with, or plan again.'
        : 'Plan again, and apply the new file unchanged.',
  });
}

function uncheckable(method: string | undefined): ToolError {
  if (method === 'hmac-sha256') {
    return new ToolError({
      code: 'saved.key-missing',
      message: 'this plan was saved with a key, and cannot be verified without it',
      hint: 'Set GANTRY_SECRET_KEY to the key that it was saved with.',
    });
  }
  if (method === 'sha256') {
    return new ToolError({
      code: 'saved.unsigned',
      message: 'this plan was saved without a key, so anybody could have written it',
      hint: 'Plan again with GANTRY_SECRET_KEY set, as it is set here.',
    });
  }
  return damagedError('its digest is missing');
}

/** Whether a change, as in a forged file, shows one resource and writes another. */
function isInconsistent({ id, ref, kind, name, gvc, create, patch, liveUid, liveVersion }: SavedChange): boolean {
  const isNamed = id === formatRef(ref) && kind === ref.kind && name === ref.name && gvc === ref.gvc;
  const isCreated = create === undefined || own(create, 'name') === name;
  const isPinned = patch === undefined || (own(patch, 'id') === liveUid && own(patch, 'version') === liveVersion);
  return !isNamed || !isCreated || !isPinned;
}

function damagedError(detail: string): ToolError {
  return new ToolError({
    code: 'saved.damaged',
    message: `this plan cannot be read: ${detail}`,
    hint: 'Plan again with --out.',
  });
}

function newerFormat(version: number): ToolError {
  return new ToolError({
    code: 'saved.newer-format',
    message: `this plan has format ${version}; this version of Gantry knows format ${savedFormatVersion}`,
    hint: 'Apply it with the version of Gantry that saved it, or plan again with this one.',
  });
}

function fromFile(file: SavedStack): SavedPlan {
  const { gantry: _gantry, kinds: _kinds, fingerprints, judged, ...content } = file;
  const { inputs, options, directives, unrevealed, declared, live, facts, secrets, changes, ...plan } = content;
  const hidden = Map.groupBy(secrets, ({ resource }) => resource);
  return {
    plan: { ...plan, changes: changes.map((change) => readChange(change, hidden.get(change.id) ?? [])) },
    inputs,
    options,
    directives,
    unrevealed: new Set(unrevealed),
    declared: declared.map(readDeclaration),
    live: new Map(live.map((each) => [formatRef(each.ref), { ...each, id: formatRef(each.ref) }])),
    facts,
    secrets,
    fingerprints,
    ...(judged === undefined ? {} : { judged: { ...judged, beside: judged.beside.map(readDeclaration) } }),
  };
}

function readChange(
  { create, patch, then, expected, expectedThen, ...rest }: SavedChange,
  secrets: readonly SavedSecret[],
): Change {
  // The file does not distinguish masks from values that look like masks.
  const body = (part: SavedSecret['in'], document: JsonObject): Body => {
    const hidden = secrets.filter((secret) => secret.in === part);
    const restored = withValues(
      document,
      hidden.map(({ at }) => ({ at, value: masked })),
    );
    return new Body(restored, restored);
  };
  const change = {
    ...rest,
    ...present({
      create: create === undefined ? undefined : body('create', create),
      patch: patch === undefined ? undefined : body('patch', patch),
      then: then === undefined ? undefined : body('then', then),
      expected: expected === undefined ? undefined : new Body(expected, expected),
      expectedThen: expectedThen === undefined ? undefined : new Body(expectedThen, expectedThen),
    }),
  };
  if (!isChange(change)) throw damagedError(`the change of ${rest.id} is incomplete`);
  return change;
}

/**
 * The text of the file. Equal plans with equal fingerprints give equal texts. It contains no sensitive value: bodies
 * are masked.
 */
export function writeSavedPlans(plans: readonly SavedPlan[], digest: Digest): string {
  const stacks = plans.map(contentOf);
  const [only, second] = stacks;
  const content = second === undefined ? only : { gantry: savedPlanName, formatVersion: savedFormatVersion, stacks };
  const file = { ...content, digest: { method: digest.method, value: digest.of(canonicalText(content)) } };
  return `${JSON.stringify(file, null, 1)}\n`;
}

function contentOf(saved: SavedPlan): SavedStack {
  const { inputs, directives, fingerprints, judged } = saved;
  const { scope, wait, targets, excludes, limits, rehearsed, undoes, storagePrice } = saved.options;
  const { org, stack, changes, formatVersion: _format, ...plan } = saved.plan;
  const byId = new Map(changes.map((change) => [change.id, change]));
  return {
    gantry: savedPlanName,
    formatVersion: savedFormatVersion,
    org,
    stack,
    inputs,
    options: {
      scope,
      wait,
      targets,
      excludes,
      ...permitsOf(saved.options),
      ...present({ limits, rehearsed, undoes, storagePrice }),
    },
    directives,
    unrevealed: [...saved.unrevealed],
    changes: changes.map(writeChange),
    ...plan,
    ...kindsOf(saved),
    declared: saved.declared.map((resource) => writeDeclaration(resource, byId.get(resource.id))),
    live: [...saved.live.values()].map(({ ref, uid, version, record }) => ({ ref, uid, version, record })),
    facts: saved.facts,
    secrets: saved.secrets,
    ...present({ fingerprints, judged: judged === undefined ? undefined : writeJudged(judged) }),
  };
}

function writeJudged({ policies, beside }: JudgedBy): NonNullable<SavedStack['judged']> {
  return { policies, beside: beside.map((resource) => writeDeclaration(resource, undefined)) };
}

/** The facts of the custom kinds in it, so it can be applied where nothing else defines them. */
function kindsOf({ plan, declared, live, facts: relied }: SavedPlan): Pick<SavedStack, 'kinds'> {
  const refs = [...plan.changes, ...declared, ...live.values(), ...relied].map(({ ref }) => ref.kind);
  const custom = compact([...new Set(refs)], (kind) => {
    const facts = customKindFacts(kind);
    return facts === undefined ? undefined : ([kind, facts] as const);
  });
  return present({ kinds: custom.length === 0 ? undefined : Object.fromEntries(custom.sort()) });
}

function writeChange({ create, patch, then, expected, expectedThen, ...change }: Change): SavedChange {
  return {
    ...change,
    ...present({
      create: create?.masked,
      patch: patch?.masked,
      then: then?.masked,
      expected: expected?.masked,
      expectedThen: expectedThen?.masked,
    }),
  };
}

/** The declaration, with the positions of the changed fields. */
export function writeDeclaration(resource: DesiredResource, change: Change | undefined): SavedDeclaration {
  const { ref, record, lifecycle, locate } = resource;
  const shape = shapeOf(ref.kind, record);
  const at = locate([]);
  const pointers = compact(change?.fields ?? [], ({ path }) => pointerOfField(path, shape, resource));
  const places = pointers.map((pointer) => {
    const { file, line, column } = locate(pointer);
    return { pointer, line, column, ...present({ file: file === at.file ? undefined : file }) };
  });
  const { file, line, column } = at;
  return { ref, record: maskedRecord(resource), lifecycle, at: { file, line, column }, places };
}

function readDeclaration({ ref, record, lifecycle, at, places }: SavedDeclaration): DesiredResource {
  return { ref, id: formatRef(ref), record, lifecycle, locate: locator(at, places) };
}

/** The closest enclosing position that was saved. */
function locator(root: Position, places: SavedDeclaration['places']): Locate {
  const known = new Map(
    places.map(({ pointer, file, line, column }) => [key(pointer), { file: file ?? root.file, line, column }]),
  );
  return (pointer) => {
    for (let length = pointer.length; length > 0; length -= 1) {
      const found = known.get(key(pointer.slice(0, length)));
      if (found !== undefined) return found;
    }
    return root;
  };
}

function key(pointer: Pointer): string {
  return JSON.stringify(pointer);
}

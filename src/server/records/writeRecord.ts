import { isObject, type JsonObject, listAt, own, sameJson, stringAt } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { withArticle } from '../../base/text/article.ts';
import { hasKeys, isNamedByEmail, isNamedByHost, partHidden, storesData } from '../../kinds/kindFacts.ts';
import { membersWithoutNulls } from '../../kinds/normalise.ts';
import { builtInRuleIds } from '../../kinds/registry.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import { applyPatch } from '../../patch/applyPatch.ts';
import { isContainer, type Kind } from '../../schema/record/kinds.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { contextOf, formatRef, type RecordContext, type Ref, refTo } from '../../schema/record/ref.ts';
import type { ObjectShape } from '../../schema/shape/shape.ts';
import { forbidLeavingSuperusers, requireContentPermissions, requirePermission } from '../access/permissions.ts';
import { logRollout } from '../audit/eventLog.ts';
import { modifiedNow } from '../core/clock.ts';
import { storedRow } from '../core/ownWrite.ts';
import type { Platform } from '../core/platform.ts';
import { referencesOf } from '../core/referencesOf.ts';
import { keysOf, originOf, relatedRows, wholeRecord } from '../core/rows.ts';
import { ApiFailure, invalid } from '../http/apiFailure.ts';
import { requireBounded } from '../http/bodyBounds.ts';
import { type Row, refOfRow } from '../store/model/row.ts';
import type { Seal } from '../store/model/seal.ts';
import { readVolumes } from '../volumes/decisions/volume.ts';
import { volumesByLocation } from '../volumes/decisions/volumeSetStatus.ts';
import { shownRecord } from './decisions/shownRecord.ts';
import { type ToleratedRecord, withoutReadOnly, writtenRecord } from './decisions/writtenRecord.ts';
import { applyConsequences } from './derived/consequences.ts';
import { initialState, nextState, storedLocations } from './derived/platformState.ts';
import { requireDomainOwnership } from './domainOwnership.ts';
import { requireQuota } from './shown/quotaUse.ts';
import type { WriteSession } from './writtenReply.ts';

/** Stores a new record. Throws 409 if its name exists or is still being deleted. */
export function createRecord(writing: WriteSession, kind: Kind, gvc: string | undefined, body: JsonObject): Row {
  const { platform, tx } = writing;
  const sent = membersWithoutNulls(shapeOf(kind, body), body);
  const ref = refTo(kind, stringAt(sent, 'name') ?? '', gvc);
  requirePermission(writing, 'create', { kind, ref, record: sent });
  if (tx.get(ref) !== undefined) throw new ApiFailure('already_exists', `${formatRef(ref)} already exists`);
  if (tx.leaving(ref) !== undefined) throw new ApiFailure('being_deleted', `${formatRef(ref)} is still being deleted`);

  const record = checkedRecord(writing, ref, sent, undefined);
  if (isNamedByHost(kind)) requireDomainOwnership(platform, tx, ref.name);
  requireQuota(tx, kind, record);
  requireContentPermissions(writing, ref, undefined, record);
  const targets = referencesOf(ref, record, platform.org);
  const nowMs = platform.now();
  const uid = platform.newId();
  tx.insert(
    {
      ...ref,
      gvc: gvc ?? '',
      uid,
      version: 1,
      createdMs: nowMs,
      modifiedMs: nowMs,
      ...sealedParts(platform.seal, kind, uid, record),
      state: initialState({ platform, tx }, ref, record),
    },
    targets,
  );
  // A new GVC is empty.
  applyConsequences({ platform, tx }, [ref], targets, true);
  return storedRow(tx, ref);
}

/** Applies a PATCH. Throws 409 if its `id` or `version` differs from the record's (platform/concepts.version). */
export function patchRecord(writing: WriteSession, row: Row, body: JsonObject): Row {
  const ref = refOfRow(row);
  requireMatch(row, body);
  const live: JsonObject = {
    ...row.record,
    ...writing.platform.seal.open(row.hidden, row.uid),
    ...(hasKeys(row.kind) ? { keys: keysOf(row) } : {}),
  };
  const context = contextOf(ref, writing.platform.org);
  const statedKind = own(body, 'kind');
  const document = withoutReadOnly(row.kind, body);
  const shape = shapeOf(row.kind, live);
  const applied = applyPatch(shape, patchBase(shape, live, context, writing.platform), document, context);
  if (!applied.ok) throw invalid(applied.problems);
  // The limits of a body also apply to the result of many small patches.
  requireBounded(applied.record);

  const remaining = new Set(
    listAt(applied.record, 'keys').map((key) => (isObject(key) ? stringAt(key, 'name') : undefined)),
  );
  const before = keysOf(row);
  const keys = before.filter((key) => remaining.has(stringAt(key, 'name')));
  const sent = statedKind === undefined ? applied.record : { ...applied.record, kind: statedKind };
  // An account without keys has no list of keys, and adding an empty one would be a change.
  return change(writing, row, sent, keys.length === before.length ? row.state : { ...row.state, keys });
}

/** The record to which a patch applies, with the field names of responses. */
function patchBase(shape: ObjectShape, live: JsonObject, context: RecordContext, { settings }: Platform): JsonObject {
  return settings.answers.has('legacy') ? shownRecord(shape, live, context, new Set(['legacy'])) : live;
}

/** Replaces the record; `id` and `created` stay, and `version` in the body is ignored. */
export function replaceRecord(writing: WriteSession, row: Row, body: JsonObject): Row {
  const sent = membersWithoutNulls(shapeOf(row.kind, body), body);
  const provider = row.kind === 'location' ? own(row.record, 'provider') : undefined;
  return change(writing, row, provider === undefined ? sent : { provider, ...sent }, row.state);
}

function change(writing: WriteSession, row: Row, sent: JsonObject, state: JsonObject): Row {
  const { platform, tx } = writing;
  const ref = refOfRow(row);
  const record = checkedRecord(writing, ref, sent, row);
  requireContentPermissions(writing, ref, row, record);
  forbidLeavingSuperusers(writing, row, record);
  const before = { ...row.record, ...platform.seal.open(row.hidden, row.uid) };
  const unchanged = sameJson(record, before) && sameJson(state, row.state);
  if (unchanged) return row;
  requireChangeable(row, record);

  const targetsBefore = referencesOf(ref, row.record, platform.org);
  const targets = referencesOf(ref, record, platform.org);
  const version = row.version + 1;
  tx.update(
    {
      ...row,
      ...sealedParts(platform.seal, row.kind, row.uid, record),
      version,
      modifiedMs: modifiedNow(row, platform),
      state: nextState({ platform, tx }, ref, { record, state, version }),
    },
    targets,
  );
  const isPlaced = isContainer(ref.kind) && sameJson(storedLocations(row), storedLocations(storedRow(tx, ref)));
  applyConsequences({ platform, tx }, [ref], [...targetsBefore, ...targets], isPlaced);
  const changed = storedRow(tx, ref);
  logRollout(writing, row, changed);
  return changed;
}

/** Returns the record to store, or throws 400 with all its problems. */
function checkedRecord(writing: WriteSession, ref: Ref, sent: JsonObject, row: Row | undefined): JsonObject {
  const { platform, tx, validators, warnings } = writing;
  const context = contextOf(ref, platform.org);
  const related = relatedRows(tx, referencesOf(ref, sent, platform.org));
  const before = row === undefined ? undefined : { ...wholeRecord(row), ...observedFields(row) };
  const { lenient } = platform.settings;
  const tolerated = row === undefined ? undefined : toleratedOf(writing, row);
  const written = writtenRecord(sent, before, {
    ...{ kind: ref.kind, context, validators, related, lenient },
    ...present({ tolerated }),
  });
  if (written.ok) {
    warnings.push(...written.warnings);
    return written.record;
  }
  throw refusal(written.problems);
}

/** The stored record if its problems do not block a change. */
function toleratedOf({ platform, tx }: WriteSession, row: Row): ToleratedRecord | undefined {
  if (platform.settings.tolerate !== 'existing') return undefined;
  const related = relatedRows(tx, referencesOf(refOfRow(row), row.record, platform.org));
  return { record: { ...row.record, ...platform.seal.open(row.hidden, row.uid) }, related };
}

/** Platform-owned fields that the rules for changes need. */
function observedFields(row: Row): JsonObject {
  return storesData(row.kind) ? { status: volumesByLocation(readVolumes(row.state)) } : {};
}

/**
 * The documented code of a refused domain, or of a built-in record if nothing else is wrong (platform/errors.order).
 */
function refusal(problems: readonly Problem[]): ApiFailure {
  const ids = new Set(problems.map(({ rule }) => rule));
  if (ids.has('D14')) return invalid(problems, 'apex_must_exist');
  if (ids.has('D16')) return invalid(problems, 'parent_ns_domain_exists');
  if (problems.every(({ rule }) => builtInRuleIds.has(rule))) return invalid(problems, 'built_in');
  return invalid(problems);
}

function requireMatch(row: Row, body: JsonObject): void {
  const [id, version] = [own(body, 'id'), own(body, 'version')];
  // Accepts text, because the public client sends every value of `--set` as text (platform/patch.clients).
  if (version !== undefined && version !== null && version !== row.version && version !== String(row.version)) {
    const has = `the record has version ${row.version}`;
    throw new ApiFailure('version_mismatch', `version ${JSON.stringify(version)} was expected, ${has}`);
  }
  if (id !== undefined && id !== null && id !== row.uid)
    throw new ApiFailure('version_mismatch', 'the record has another id');
}

const changeableBuiltIns: ReadonlySet<Kind> = new Set<Kind>(['group', 'location', 'quota']);

/**
 * Refuses changes of any name, of a user's `email` and `idp`, and of built-in records, except for the members of a
 * group, the limit of a quota, and the changeable fields of a location.
 */
function requireChangeable(row: Row, record: JsonObject): void {
  // Rules have already checked the names of kinds other than users, images and quotas.
  if (own(record, 'name') !== row.name) throw immutableField(row, 'name');
  if (isNamedByEmail(row.kind)) {
    const other = ['email', 'idp'].find((field) => !sameJson(own(record, field), own(row.record, field)));
    if (other !== undefined) throw immutableField(row, other);
  }
  if (originOf(row) !== 'builtin' || changeableBuiltIns.has(row.kind)) return;
  throw new ApiFailure('built_in', `${formatRef(refOfRow(row))} is built in and cannot be changed`);
}

function immutableField({ kind }: Row, field: string): ApiFailure {
  return invalid([
    { path: field, message: `the ${field} of ${withArticle(kind)} cannot be changed`, rule: 'immutable' },
  ]);
}

/** Separates and seals the hidden field, so that it cannot be shown by accident. */
function sealedParts(seal: Seal, kind: Kind, uid: string, whole: JsonObject): Pick<Row, 'record' | 'hidden'> {
  const { shown, hidden } = partHidden(kind, whole);
  return { record: shown, hidden: Object.keys(hidden).length === 0 ? {} : seal.seal(hidden, uid) };
}

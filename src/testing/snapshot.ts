import type { NewPlan } from '../automation.ts';
import { isArray, isObject, type JsonObject, type JsonValue, listAt, put } from '../base/json/json.ts';
import { compareText } from '../base/text/compareText.ts';
import { planToJson } from '../change/documents/planDocument.ts';
import type { Declaration, SynthOptions } from './declared.ts';
import type { Rehearsed } from './rehearse.ts';
import { isRehearsed, resourcesOf } from './resources.ts';

/** The parts of a change that matter in a review, without ids, versions and hashes that change in each run. */
const fieldsOfChange = ['id', 'action', 'intended', 'reason', 'fields', 'cascadesTo', 'refusals', 'notes'] as const;

/**
 * The content of a snapshot file: the manifests of a stack, by id, or the changes of a plan. Keys and resources are
 * sorted, sensitive values are `{"sensitive": true}`, and equal stacks give equal snapshots on every machine.
 */
export function snapshotOf(subject: Declaration | Rehearsed | NewPlan, options?: SynthOptions): JsonValue {
  if (isRehearsed(subject) || 'plan' in subject) return planSnapshot(subject.plan);
  return resourcesOf(subject, options).map(({ masked }) => sorted(masked));
}

function planSnapshot(plan: NewPlan['plan']): JsonValue {
  const document = planToJson(plan);
  const changes = listAt(document, 'changes').filter(isObject).map(withoutRun);
  const { summary = null, refusals = [], notes = [] } = document;
  return sorted({
    changes: changes.sort((a, b) => compareText(String(a['id']), String(b['id']))),
    notes,
    refusals,
    summary,
  });
}

function withoutRun(change: JsonObject): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const field of fieldsOfChange) {
    const value = change[field];
    if (value !== undefined && value !== '' && !(isArray(value) && value.length === 0)) put(result, field, value);
  }
  return result;
}

/** Sorts the keys of every object. */
function sorted(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const ordered: Record<string, JsonValue> = {};
  for (const key of Object.keys(value).sort(compareText)) put(ordered, key, sorted(value[key] ?? null));
  return ordered;
}

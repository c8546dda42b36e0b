import { type Change, isHidden } from '../../plan/model/change.ts';
import { isCovered } from '../explain/verdicts.ts';
import type { DriftRecord } from './drift.ts';

/**
 * Sets apart what others changed and no apply would undo: fields under `lifecycle.ignore`, tags of others, what operators
 * switch, what the platform chooses. `change` is what a plan does with the resource now; undefined: nothing. The plan
 * decides, so that drift and plan never disagree. `tells`: a newer version shows that somebody wrote.
 */
export function withoutLeftAlone(record: DriftRecord, change: Change | undefined, tells = true): DriftRecord {
  const { state, orphaned, fields } = record;
  if (state !== 'touched' || orphaned || change?.action === 'refuse') return record;
  const isShown = record.writes !== null && fields !== null && fields.length > 0;
  if (change === undefined && !isShown && !tells) {
    return { ...record, state: 'risen', writes: [], fields: [], secretsUnknown: false };
  }
  if (change === undefined) {
    return { ...record, state: 'left-alone', fields: fields === null ? null : [], leftAlone: fields ?? [] };
  }
  if (fields === null) return record;
  const undone = change.fields.map(({ path }) => path);
  const drifted = fields.filter(({ path }) => isCovered(path, undone));
  const leftAlone = fields.filter((field) => !drifted.includes(field));
  // A secret whose value the plan writes may have been changed by others: the audit trail does not tell.
  const mayHide = record.secretsUnknown && change.fields.some(({ old, new: next }) => isHidden(old) || isHidden(next));
  if (drifted.length > 0 || mayHide) return { ...record, fields: drifted, leftAlone };
  return { ...record, state: 'left-alone', fields: [], leftAlone };
}

import type { JsonValue } from '../base/json/json.ts';
import type { AssumptionId } from './assumptions.ts';
import { Capabilities } from './capabilities.ts';
import { readingDecisions } from './examineReading.ts';
import { writingDecisions } from './examineWriting.ts';
import { isAssumption, rows } from './kept.ts';
import { type Decide, type Survey, unasked, type Verdict } from './survey.ts';

/** The assumptions that `gantry doctor` cannot test, and when a run learns them. */
export const learntByRuns: Readonly<Partial<Record<AssumptionId, string>>> = {
  'write.directives': 'the first run that changes a list finds out',
  'value.tag-case': 'the first run that writes a key with capital letters finds out',
  'secret.marked': 'the first plan of a marked value finds out',
};

/** The sections of the table, in order, by the prefix of the ids. */
export const sections = {
  read: 'How records are found',
  link: 'Links',
  version: 'Versions',
  access: 'Permissions',
  audit: 'Audit trail',
  secret: 'Secrets',
  write: 'Writing',
  value: 'Values and their spelling',
  delete: 'Deleting',
} as const;

export const states = ['holds', 'otherwise', 'not-asked', 'not-knowable'] as const;
export type State = (typeof states)[number];

/** The finding on one assumption. */
export interface Examined {
  readonly id: AssumptionId;
  readonly state: State;
  /** The kinds, fields and statuses that disprove it. */
  readonly detail?: string | undefined;
  /** Why there is no finding. */
  readonly because?: string | undefined;
}

const ofReading: Readonly<Partial<Record<AssumptionId, Decide>>> = readingDecisions;
const ofWriting: Readonly<Partial<Record<AssumptionId, Decide>>> = writingDecisions;

/** The finding on each row of the table, from the responses. `earlier`: findings of runs that no question can show. */
export function examine(survey: Survey, earlier: Capabilities): readonly Examined[] {
  return assumptionIds.map((id): Examined => {
    if (!isAskedAbout(id)) return unexamined(id, earlier);
    const verdict = verdictOn(id, survey);
    return verdict.finding === undefined
      ? { id, state: 'not-asked', because: verdict.because }
      : { id, state: verdict.finding, detail: verdict.detail };
  });
}

/** Whether a question of the doctor tests it. */
export function isAskedAbout(id: AssumptionId): boolean {
  return ofReading[id] !== undefined || ofWriting[id] !== undefined;
}

/** The results of writes take precedence over the platform's description. */
function verdictOn(id: AssumptionId, survey: Survey): Verdict {
  const isWritten = survey.seen('create') !== undefined;
  const found = [isWritten ? ofWriting[id] : undefined, ofReading[id]].flatMap((decide) => decide?.(survey) ?? []);
  const usual = unasked(isWritten ? 'a write that it needs was refused' : 'gantry doctor --write asks it');
  return (
    found.find(({ finding }) => finding !== undefined) ??
    (ofWriting[id] === undefined || isWritten ? found[0] : undefined) ??
    usual
  );
}

/** By section, and in table order within each. */
const assumptionIds: readonly AssumptionId[] = Object.keys(sections).flatMap((section) =>
  Object.keys(rows)
    .filter(isAssumption)
    .filter((id) => id.startsWith(`${section}.`)),
);

function unexamined(id: AssumptionId, earlier: Capabilities): Examined {
  if (rows[id].learnt === 'not learnt') return { id, state: 'not-knowable' };
  const finding = earlier.of(id);
  if (finding !== undefined) return { id, state: finding, detail: 'learnt by an earlier run' };
  return { id, state: 'not-asked', because: learntByRuns[id] ?? 'the first run that needs it finds out' };
}

/** The wrong assumptions that a platform must meet: without them nothing can be planned. */
export function lacking(examined: readonly Examined[]): readonly AssumptionId[] {
  return examined.flatMap(({ id, state }) => (state === 'otherwise' && rows[id].needed === true ? [id] : []));
}

/** The findings, for later runs, with the platform's own defaults of workloads. */
export function findingsOf(
  examined: readonly Examined[],
  defaults: readonly (readonly [string, JsonValue])[],
): Capabilities {
  const capabilities = new Capabilities(
    examined.flatMap(({ id, state }) => (state === 'holds' || state === 'otherwise' ? [[id, state] as const] : [])),
  );
  for (const [path, value] of defaults) capabilities.learnDefault('workload', path, value);
  return capabilities;
}

import { type JsonObject, type JsonValue, objectAt } from '../base/json/json.ts';
import { type Assumption, type AssumptionId, assumptions } from './assumptions.ts';
import { Capabilities, type Finding } from './capabilities.ts';

/**
 * The capabilities that a run starts from; later parts of `kept` take precedence. Omitted are assumptions that each run
 * tests anew, and findings of other versions of Gantry that this one does not know.
 */
export function startFrom(kept: readonly JsonObject[]): Capabilities {
  const capabilities = new Capabilities(
    [],
    kept.flatMap((each) => Object.entries(objectAt(each, 'defaults'))),
  );
  for (const [id, finding] of kept.flatMap((each) => Object.entries(objectAt(each, 'findings')))) {
    if (!isAssumption(id) || !isFinding(finding)) continue;
    const { eachRun } = rows[id];
    if (eachRun !== true && eachRun !== finding) capabilities.learn(id, finding);
  }
  return capabilities;
}

export const rows: Readonly<Record<AssumptionId, Assumption>> = assumptions;

export function isAssumption(id: string): id is AssumptionId {
  return Object.hasOwn(assumptions, id);
}

export function isFinding(value: JsonValue): value is Finding {
  return value === 'holds' || value === 'otherwise';
}

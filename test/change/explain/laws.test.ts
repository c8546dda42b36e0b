import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attributeDrift } from '../../../src/change/attributeDrift.ts';
import { driftSchema, driftToJson } from '../../../src/change/documents/driftDocument.ts';
import { explanationSchema, explanationToJson } from '../../../src/change/documents/explanationDocument.ts';
import { explainStudied, study } from '../../../src/change/explainChange.ts';
import { findDrift } from '../../../src/change/findDrift.ts';
import type { Snapshot } from '../../../src/manifest/live/snapshot.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import { isRefused } from '../../../src/plan/model/plan.ts';
import { builtIn, carryOut, ModelPlatform } from '../../plan/model.ts';
import { parts, stackOf } from '../../plan/stacks.ts';
import { hash, options, org, owner, plan } from '../../plan/world.ts';

/** More with GANTRY_EXPLAIN. */
const runs = Number(process.env['GANTRY_EXPLAIN'] ?? 40);

const ajv = new Ajv2020({ strict: false });
const validExplanation = ajv.compile(explanationSchema);
const validDrift = ajv.compile(driftSchema);
const allowed = { maxDeletes: undefined, allowEmpty: true } as const;

/** Explains every change of a plan; returns the number of proofs. */
function explainAll(desired: readonly DesiredResource[], snapshot: Snapshot): number {
  const made = plan(desired, snapshot, allowed);
  const explainable = { plan: made, desired, snapshot, options: { ...options, ...allowed } };
  let proofs = 0;
  for (const { id } of made.changes) {
    const explanation = explainStudied(explainable, study(explainable, id), null);
    const json = explanationToJson(explanation);
    expect(validExplanation(json), `${id}: ${JSON.stringify(validExplanation.errors)}`).toBe(true);
    expect(explanation.proof?.against ?? [], id).toEqual([]);
    if (explanation.proof !== undefined) proofs += 1;
    // The chosen patch is the one that is sent: the smallest of the candidates.
    expect(
      explanation.notes.filter((note) => note.startsWith('a smaller patch')),
      id,
    ).toEqual([]);
    const again = explainStudied(explainable, study(explainable, id), null);
    expect(JSON.stringify(explanationToJson(again))).toBe(JSON.stringify(json));
  }
  return proofs;
}

test('every patch of generated stacks is proven, and every change is explained in the documented form', () => {
  let proofs = 0;
  fc.assert(
    fc.property(fc.array(parts, { minLength: 2, maxLength: 3 }), (stacks) => {
      const platform = new ModelPlatform();
      platform.put(builtIn);
      for (const stack of stacks) {
        const desired = stackOf(stack);
        proofs += explainAll(desired, platform.snapshot());
        const made = plan(desired, platform.snapshot(), allowed);
        if (isRefused(made)) continue;
        carryOut(made, platform, () => 0);
        explainAll(desired, platform.snapshot());
        expect(driftOf(desired, platform.snapshot())).toEqual([]);
      }
      explainAll([], platform.snapshot());
    }),
    { numRuns: runs },
  );
  expect(proofs).toBeGreaterThan(5);
});

/** The drifted ids directly after an apply: none. */
function driftOf(desired: readonly DesiredResource[], snapshot: Snapshot): readonly string[] {
  const findings = findDrift({ desired, scope: 'whole', snapshot, owner, hash });
  const records = findings.flatMap((finding) => attributeDrift(finding, [], { org, owner, hash }) ?? []);
  const json = driftToJson({ org, stack: owner, declarationsKnown: true, records, requests: 0 });
  expect(validDrift(json), JSON.stringify(validDrift.errors)).toBe(true);
  return records.filter(({ state, orphaned }) => orphaned || state !== 'untouched').map(({ id }) => id);
}

import { createHash, createHmac } from 'node:crypto';
import type { Digest, SavedPlan } from '../../../src/change/savedPlan.ts';
import { type PlanToSave, savedPlanOf } from '../../../src/change/savedPlanOf.ts';
import { readSavedPlans, writeSavedPlans } from '../../../src/change/savedPlanText.ts';
import { findSecrets, fingerprintText } from '../../../src/change/savedSecrets.ts';
import type { LiveResource, Snapshot } from '../../../src/manifest/live/snapshot.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { plan, snapshot, options as usual } from '../../plan/world.ts';

/** Saves and reads as the command does, with fast digests and fingerprints. */
export const digest: Digest = { method: 'sha256', of: (text) => createHash('sha256').update(text).digest('base64url') };

export function keyedDigest(key: string): Digest {
  return { method: 'hmac-sha256', of: (text) => createHmac('sha256', key).update(text).digest('base64url') };
}

export function fingerprint(text: string): string {
  return createHmac('sha256', 'salt').update(text).digest('base64url');
}

export function planned(
  desired: readonly DesiredResource[],
  from: readonly LiveResource[] | Snapshot,
  given: Partial<PlanOptions> = {},
): PlanToSave {
  const state = 'resources' in from ? from : snapshot(from);
  return { plan: plan(desired, state, given), desired, snapshot: state, options: { ...usual, ...given } };
}

export function saved(of: PlanToSave, inputs: SavedPlan['inputs'] = { paths: ['.'] }): SavedPlan {
  const plain = savedPlanOf(of, inputs);
  const secrets = findSecrets(plain.plan, plain.declared).map(({ value, ...place }) => ({
    ...place,
    fingerprint: fingerprint(fingerprintText(place.resource, value)),
  }));
  if (secrets.length === 0) return plain;
  return { ...plain, secrets, fingerprints: { method: 'hmac-sha256', salt: 'c2FsdA' } };
}

export function textOf(of: PlanToSave): string {
  return writeSavedPlans([saved(of)], digest);
}

export function readBack(text: string): SavedPlan {
  const [plan] = readSavedPlans(text, [digest]);
  if (plan === undefined) throw new Error('the file has a plan');
  return plan;
}

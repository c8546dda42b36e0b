import { expect } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt } from '../../../src/base/json/json.ts';
import { normalise } from '../../../src/kinds/normalise.ts';
import { shapeOf } from '../../../src/kinds/shapeOf.ts';
import type { LiveResource, Snapshot } from '../../../src/manifest/live/snapshot.ts';
import type { DesiredResource } from '../../../src/manifest/model/manifest.ts';
import { applyPatch } from '../../../src/patch/applyPatch.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import type { PlanOptions } from '../../../src/plan/model/planOptions.ts';
import { actions, codes, declare, foreign, live, org, plan, snapshot } from '../world.ts';

export const part = { part: true } as const;
export const web = '/org/o/gvc/g/workload/web';
export const docs = '/org/o/gvc/g/workload/docs';
export const route = (prefix: string, workloadLink: string = web): JsonObject => ({ prefix, workloadLink });
export const domainSpec = (...routes: readonly JsonObject[]): JsonObject => ({
  spec: { ports: [{ number: 443, protocol: 'http2', routes }] },
});
export const routesOnly = (...routes: readonly JsonObject[]): JsonObject => ({
  spec: { ports: [{ number: 443, routes }] },
});
export const id = 'domain/shop.com';
const gvc = foreign('gvc/g');
export const targets = [gvc, foreign('workload/g/web'), foreign('workload/g/docs')];

/** The domain, owned by the stack `base`. */
export function ownedDomain(...routes: readonly JsonObject[]): LiveResource {
  return live(id, normalise('domain', domainSpec(...routes), { org }), { owner: 'base' });
}

/** The stored record after the plan of a stack; without the proof, by applying its patch. */
export function carriedOut(made: Plan, of: LiveResource): LiveResource {
  const patch = made.changes.find((change) => change.id === of.id)?.patch?.expose();
  if (patch === undefined) return of;
  const { id: _, version: pinned, ...body } = patch;
  expect(pinned).toBe(of.version);
  const applied = applyPatch(shapeOf(of.ref.kind, of.record), of.record, body, { org });
  if (!applied.ok) throw new Error(JSON.stringify(applied.problems));
  const version = of.version + 1;
  return after(of, { ...of, version, record: { ...normalise(of.ref.kind, applied.record, { org }), version } });
}

const versions = new WeakMap<LiveResource, readonly LiveResource[]>();

/** The next version of a record; `trailOf` returns the earlier ones. */
export function after(before: LiveResource, now: LiveResource): LiveResource {
  versions.set(now, [before, ...(versions.get(before) ?? [])]);
  return now;
}

/** The audit trail of a record. */
export function trailOf(of: LiveResource): Pick<Snapshot, 'past'> {
  return { past: new Map([[of.uid, versions.get(of) ?? []]]) };
}

export function planFor(
  owner: string,
  desired: readonly DesiredResource[],
  on: LiveResource,
  given: Partial<PlanOptions> = {},
) {
  return plan(desired, snapshot([on, ...targets], trailOf(on)), { owner, ...given });
}

export function prefixes(of: LiveResource): readonly unknown[] {
  const port = listAt(objectAt(of.record, 'spec'), 'ports').find(isObject) ?? {};
  return listAt(port, 'routes').map((each) => (isObject(each) ? each['prefix'] : each));
}

/** Applies the plan of a stack; the next plan must be empty. */
export function run(owner: string, desired: readonly DesiredResource[], on: LiveResource): LiveResource {
  const made = planFor(owner, desired, on, { allowEmpty: true });
  expect(codes(made)).toEqual([]);
  const now = carriedOut(made, on);
  expect(actions(planFor(owner, desired, now))).toEqual([]);
  return now;
}

export const withDocs = declare(id, routesOnly(route('/docs', docs)), part);

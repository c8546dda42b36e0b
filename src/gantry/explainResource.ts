import { type Explainable, explainStudied, study } from '../change/explainChange.ts';
import { explainPath } from '../change/explainPath.ts';
import { findChange } from '../change/findChange.ts';
import { auditTrail } from '../client/auditTrail.ts';
import type { WriteEvent, WritesOf } from '../manifest/live/writer.ts';
import type { Platform } from '../project/platform/platform.ts';
import { nameWriters } from './loading/nameWriters.ts';

export interface ExplainRequest {
  /** `kind/[gvc/]name`. */
  readonly resource: string;
  /** A path in it: `spec.containers.main.cpu`. */
  readonly path: string | undefined;
}

/** Explains why a plan changes a resource or not. Without a platform, writers of live values are not named. */
export async function explainResource(
  explainable: Explainable,
  { resource, path }: ExplainRequest,
  platform: Platform | undefined,
) {
  const change = findChange(explainable.plan, resource);
  const trail = platform && auditTrail(platform.client);
  const namedPlan = trail && (await nameWriters({ ...explainable.plan, changes: [change] }, explainable, trail));
  const studied = study(namedPlan === undefined ? explainable : { ...explainable, plan: namedPlan }, change.id);
  const writes = await writesOf(studied.live?.uid, studied.change.fields.length > 0 || path !== undefined, trail);
  const explanation = explainStudied(explainable, studied, writes);
  return path === undefined ? explanation : explainPath(explanation, studied, path, writes);
}

/** One read, only if something differs or a path was given. `null` if it cannot be read. */
async function writesOf(
  uid: string | undefined,
  isWanted: boolean,
  trail: WritesOf | undefined,
): Promise<readonly WriteEvent[] | null | undefined> {
  if (uid === undefined || !isWanted) return undefined;
  if (trail === undefined) return null;
  return (await trail(uid)) ?? null;
}

import type { Kind } from '../record/kinds.ts';
import type { Risk } from './risk.ts';

/** What writing and deleting a whole record can do, whatever its fields say. */
export interface ActionRisks {
  readonly create: Risk;
  /** At least, for every PATCH: each one writes our tags too. */
  readonly write: Risk;
  /** Never below `endpoint-change`: what is gone is missed by whoever relied on it. */
  readonly delete: Risk;
}

/** A record that nothing runs from: who may do what, where logs go, access to accounts elsewhere. */
const governing: ActionRisks = { create: 'none', write: 'metadata', delete: 'endpoint-change' };

/** What serves, or what something that serves cannot do without. */
const serving: ActionRisks = { create: 'none', write: 'metadata', delete: 'downtime' };

export const actionRisks: Readonly<Record<Kind, ActionRisks>> = {
  /** Workloads reach private networks through it. */
  agent: serving,
  auditctx: governing,
  cloudaccount: governing,
  deployment: governing,
  domain: serving,
  group: governing,
  /** Everything in it goes, and the endpoints with it; volume sets in it are changes of their own. */
  gvc: serving,
  /**
   * No workload may use it any more when it is deleted (platform/deletion.references), so nothing that runs takes notice.
   */
  identity: governing,
  image: governing,
  /** Its addresses are given back, and are those of somebody else then. */
  ipset: serving,
  location: serving,
  org: governing,
  policy: governing,
  quota: governing,
  /** What refers to it softly fails at its next start (platform/deletion.references). */
  secret: serving,
  /** Its keys go with it, and are shown only once: nobody gets them back (platform/deletion.cascade). */
  serviceaccount: { create: 'none', write: 'metadata', delete: 'data-loss' },
  task: governing,
  user: governing,
  /**
   * All its volumes and snapshots go; those that it makes are paid by the GB (platform/volumeset.classes,
   * platform/volumeset.volumes).
   */
  volumeset: { create: 'cost-up', write: 'metadata', delete: 'data-loss' },
  /** A write of any field, of a tag too, makes a new version, which is rolled out. */
  workload: { create: 'cost-up', write: 'rolling-restart', delete: 'downtime' },
};

import type { ChangeDocument, PlanDocument } from '../../../src/change/documents/planDocument.ts';
import type { Report } from '../../../src/report/report.ts';

/** A change that creates a workload, as in a plan; `more` has the differences. */
export function changeDocument(name: string, more: Partial<ChangeDocument> = {}): ChangeDocument {
  return {
    ...{ id: `workload/shop/${name}`, action: 'create', kind: 'workload', name, gvc: 'shop' },
    ...{ reason: 'it does not exist yet', fields: [], requires: [], cascadesTo: [], wait: false },
    ...{ refusals: [], notes: [], risk: 'cost-up' },
    ...more,
  };
}

/** The report of a plan with these changes. */
export function reportOf(changes: readonly ChangeDocument[], more: Partial<PlanDocument> = {}): Report {
  const count = (action: string): number => changes.filter((change) => change.action === action).length;
  const document: PlanDocument = {
    ...{ formatVersion: 1, org: 'acme', stack: 'shop', refused: false, refusals: [], notes: [] },
    ...{ changes, risk: 'cost-up', requests: { snapshot: 3, apply: changes.length } },
    summary: {
      ...{ create: count('create'), patch: count('patch'), replace: count('replace'), delete: count('delete') },
      ...{ keep: count('keep'), adopt: count('adopt'), forget: count('forget'), refuse: count('refuse') },
    },
    ...more,
  };
  return {
    ...{ tool: { name: 'gantry', version: '0.1.0' }, command: 'plan', outcome: 'changes', exitCode: 0 },
    ...{ subject: { org: 'acme', stack: 'shop' }, problems: [], drifts: [], document: null },
    plans: [{ document, outcome: 'changes', proofs: new Map() }],
  };
}

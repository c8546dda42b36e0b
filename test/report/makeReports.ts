import type { DriftDocument } from '../../src/change/documents/driftDocument.ts';
import type { ChangeDocument, PlanDocument } from '../../src/change/documents/planDocument.ts';
import { isDrifted } from '../../src/change/drift.ts';
import { planOutcome, type Report } from '../../src/report/report.ts';

/** A report of an empty plan, with these members. */
export function reportOf(members: Partial<Report> = {}): Report {
  return {
    tool: { name: 'gantry', version: '1.2.3' },
    command: 'plan',
    subject: { org: 'acme', stack: 'shop' },
    outcome: 'no-changes',
    exitCode: 0,
    plans: [],
    drifts: [],
    problems: [],
    document: null,
    ...members,
  };
}

/** The report of one plan. */
export function planReport(members: Partial<PlanDocument>, others: Partial<Report> = {}): Report {
  const document = planDocument(members);
  const outcome = planOutcome(document);
  return reportOf({ outcome, plans: [{ document, outcome, proofs: new Map() }], ...others });
}

export function planDocument(members: Partial<PlanDocument>): PlanDocument {
  const { changes = [] } = members;
  const counts = { create: 0, patch: 0, replace: 0, delete: 0, keep: 0, adopt: 0, forget: 0, refuse: 0 };
  for (const { action } of changes) counts[action] += 1;
  return {
    formatVersion: 1,
    org: 'acme',
    stack: 'shop',
    refused: counts.refuse > 0 || (members.refusals ?? []).length > 0,
    changes,
    refusals: [],
    notes: [],
    risk: 'none',
    requests: { snapshot: 2, apply: changes.length },
    summary: counts,
    ...members,
  };
}

export function changeOf(members: Partial<ChangeDocument>): ChangeDocument {
  return {
    id: 'workload/shop/web',
    action: 'patch',
    kind: 'workload',
    name: 'web',
    gvc: 'shop',
    reason: 'changed in the code',
    fields: [],
    requires: [],
    cascadesTo: [],
    wait: false,
    refusals: [],
    notes: [],
    ...members,
  };
}

export function driftDocument(resources: DriftDocument['resources']): DriftDocument {
  const states = resources.map(({ state }) => state);
  const of = (state: (typeof states)[number]): number => states.filter((each) => each === state).length;
  return {
    formatVersion: 1,
    org: 'acme',
    stack: 'shop',
    drifted: resources.some(isDrifted),
    declarationsKnown: true,
    resources,
    requests: 3,
    summary: {
      untouched: of('untouched'),
      touched: of('touched'),
      'left-alone': of('left-alone'),
      risen: of('risen'),
      recreated: of('recreated'),
      unrecorded: of('unrecorded'),
      copy: of('copy'),
      'owner-lost': of('owner-lost'),
      'other-owner': of('other-owner'),
      unfinished: of('unfinished'),
      deleted: of('deleted'),
      hidden: of('hidden'),
      orphaned: resources.filter(({ orphaned }) => orphaned).length,
    },
  };
}

import type { JsonObject } from '../../base/json/json.ts';
import { workloadTypeOf } from '../../schema/facts/workloadTypes.ts';
import { isTrue, show } from '../../schema/rules/reading.ts';
import { known, type Related, type Report } from '../../schema/rules/rule.ts';
import { hasDedicatedBalancer } from '../gvc/gvcView.ts';
import { type DomainView, gvcOf, workloadRef } from './domainView.ts';

export function gvcRecord(view: DomainView, related: Related): JsonObject | undefined {
  const name = gvcOf(view);
  return name === undefined ? undefined : known(related.get({ kind: 'gvc', name }));
}

/** The part of D7 that looks at the workload. */
export function checkDirectTarget({ workloadLink, context }: DomainView, related: Related, report: Report): void {
  const ref = workloadRef(workloadLink, context);
  const workload = ref === undefined ? undefined : known(related.get(ref));
  if (workload !== undefined && workloadTypeOf(workload) !== 'stateful') {
    report(
      ['spec', 'workloadLink'],
      `the workload ${show(ref?.name)} must be stateful, not ${workloadTypeOf(workload)}`,
    );
  }
}

/** The part of D8 that looks at the GVC. */
export function checkDedicated(view: DomainView, related: Related, report: Report): void {
  for (const key of ['acceptAllHosts', 'acceptAllSubdomains'] as const) {
    if (!isTrue(view.spec, key)) continue;
    const gvc = gvcRecord(view, related);
    if (gvc !== undefined && !hasDedicatedBalancer(gvc)) {
      report(['spec', key], `the GVC ${show(gvcOf(view))} needs a dedicated load balancer`);
    }
  }
}

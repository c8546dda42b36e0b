import type { PlanDocument } from '../../src/change/documents/planDocument.ts';
import type { AnyManifest } from '../../src/policies/rules/manifestOf.ts';
import type { Finding, Policy } from '../../src/policies/rules/policy.ts';
import { freeze, runPolicy } from '../../src/policies/rules/runPolicy.ts';

/** A manifest as a test writes it. */
export interface WrittenManifest {
  readonly kind: string;
  readonly name: string;
  readonly gvc?: string;
  readonly [field: string]: unknown;
}

/** The problems that a policy finds, each as `severity resource path: message`. */
export async function found(
  policy: Policy,
  written: readonly WrittenManifest[],
  plan?: PlanDocument,
): Promise<readonly string[]> {
  const resources: readonly AnyManifest[] = written.map((manifest) => ({ ...manifest, id: idOf(manifest) }));
  const input = {
    resources,
    environment: undefined,
    inputs: {},
    now: '2027-01-31T09:30:00.000Z',
    ...(plan === undefined ? {} : { plan }),
  };
  freeze(input);
  return (await runPolicy(policy, input)).map(inWords);
}

function idOf({ kind, gvc, name }: WrittenManifest): string {
  return gvc === undefined ? `${kind}/${name}` : `${kind}/${gvc}/${name}`;
}

function inWords({ severity, resource = '-', path = '-', message }: Finding): string {
  return `${severity} ${resource} ${path}: ${message}`;
}

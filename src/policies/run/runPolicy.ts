import type { PlanDocument } from '../../change/documents/planDocument.ts';
import type { Finding } from '../model/finding.ts';
import type { AnyManifest } from '../model/manifestOf.ts';
import type { Policy, PolicyContext } from '../model/policy.ts';
import { readProblems } from './readProblems.ts';

/** What policies are asked about. */
export interface PolicyInput extends PolicyContext {
  /** Absent: there is no plan, so policies over plans have nothing to say. */
  readonly plan?: PlanDocument | undefined;
}

/** A policy that gave no answer: it threw, or returned what is no list of problems. */
export class NoAnswer extends Error {
  /** What it was asked about, where that was one resource. */
  readonly resource: string | undefined;

  constructor(message: string, resource: string | undefined, cause?: unknown) {
    super(message, { cause });
    this.resource = resource;
  }
}

/** The answer of one policy. `input` is frozen by the caller. Errors: `NoAnswer`. */
export async function runPolicy(policy: Policy, input: PolicyInput): Promise<readonly Finding[]> {
  const { plan, ...context } = input;
  if (policy.plan !== undefined) {
    return plan === undefined ? [] : ask(policy, policy.plan, [plan, context], undefined);
  }
  const findings: Finding[] = [];
  for (const manifest of input.resources) {
    if (policy.resource === undefined || !isAbout(policy, manifest)) continue;
    findings.push(...(await ask(policy, policy.resource, [manifest, context], manifest.id)));
  }
  return findings;
}

function isAbout({ kinds }: Policy, { kind }: AnyManifest): boolean {
  return kinds === undefined || kinds.includes(kind);
}

async function ask(
  { id, severity }: Policy,
  question: (...parameters: never) => unknown,
  parameters: readonly unknown[],
  resource: string | undefined,
): Promise<readonly Finding[]> {
  const read = await answered(question, parameters, resource);
  if (!read.ok) throw new NoAnswer(read.message, resource);
  return read.problems.map((problem) => ({
    ...problem,
    policy: id,
    severity: problem.severity ?? severity,
    resource: problem.resource ?? resource,
  }));
}

async function answered(
  question: (...parameters: never) => unknown,
  parameters: readonly unknown[],
  resource: string | undefined,
) {
  try {
    return readProblems(await Reflect.apply(question, undefined, parameters));
  } catch (error) {
    throw new NoAnswer('it threw', resource, error);
  }
}

/** No policy can change what the next one is asked about. */
export function freeze(value: object): void {
  Object.freeze(value);
  for (const key in value) {
    const member: unknown = Reflect.get(value, key); // of what JSON made, with keys of its own only
    if (typeof member === 'object' && member !== null) freeze(member);
  }
}

import { isObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { available } from '../../base/text/suggestion.ts';
import type { PlanDocument } from '../../change/documents/planDocument.ts';
import type { AnyManifest } from './manifestOf.ts';
import type { Finding, Policy, PolicyContext, PolicyProblem } from './policy.ts';

/** The input of policies. */
export interface PolicyInput extends PolicyContext {
  /** Absent without a plan; policies over plans then return nothing. */
  readonly plan?: PlanDocument | undefined;
}

/** A policy that failed: it threw, or did not return a list of problems. */
export class NoAnswer extends Error {
  /** The resource that it was called with, if any. */
  readonly resource: string | undefined;

  constructor(message: string, resource: string | undefined, cause?: unknown) {
    super(message, { cause });
    this.resource = resource;
  }
}

/** The findings of one policy. `input` is frozen by the caller. Errors: `NoAnswer`. */
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

/** Prevents a policy from changing the input of the next one. */
export function freeze(value: object): void {
  Object.freeze(value);
  for (const key in value) {
    const member: unknown = Reflect.get(value, key); // from JSON, so it has only own keys
    if (typeof member === 'object' && member !== null) freeze(member);
  }
}

/** The problems that a policy returned; or in words what it should have returned. */
type ReadProblems =
  | { readonly ok: true; readonly problems: readonly PolicyProblem[] }
  | { readonly ok: false; readonly message: string };

/** The maximum per policy; more indicate a mistake in it. */
export const mostProblems = 10_000;

/** The maximum number of characters of a text. */
const longestText = 2_000;

const optionalTexts = ['fix', 'path', 'resource'] as const;
const known: ReadonlySet<string> = new Set(['message', 'severity', ...optionalTexts]);

/** Reads the value that a policy returned, which may be anything; a proxy or a getter in it may throw. */
export function readProblems(returned: unknown): ReadProblems {
  if (!isIterable(returned)) return wrong(`it returned ${whatIs(returned)} in place of a list of problems`);
  const problems: PolicyProblem[] = [];
  for (const each of returned) {
    const at = `problem ${problems.length + 1} that it returned`;
    if (problems.length === mostProblems) return wrong(`it returned more than ${mostProblems} problems`);
    if (!isObject(each)) return wrong(`${at} is ${whatIs(each)} in place of an object such as {message: "…"}`);
    const { message, severity } = each;
    if (typeof message !== 'string' || message.trim() === '') return wrong(`${at} has no message`);
    const text = optionalTexts.find((key) => each[key] !== undefined && typeof each[key] !== 'string');
    if (text !== undefined) return wrong(`${at} has a ${text} that is ${whatIs(each[text])}, not a text`);
    if (severity !== undefined && severity !== 'error' && severity !== 'warning') {
      return wrong(`${at} has a severity that is neither error nor warning`);
    }
    const other = Object.keys(each).find((key) => !known.has(key));
    if (other !== undefined) return wrong(`${at} has ${JSON.stringify(other)}. ${available(known)}`);
    problems.push({ message: cut(message), ...textsOf(each), ...present({ severity }) });
  }
  return { ok: true, problems };
}

function textsOf(problem: Readonly<Record<string, unknown>>): Omit<PolicyProblem, 'message' | 'severity'> {
  const texts: Partial<Record<(typeof optionalTexts)[number], string>> = {};
  for (const key of optionalTexts) {
    const text = problem[key];
    if (typeof text === 'string') texts[key] = cut(text);
  }
  return texts;
}

function cut(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}…`;
}

function wrong(message: string): ReadProblems {
  return { ok: false, message };
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

function whatIs(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

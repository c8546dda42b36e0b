import { isObject } from '../../base/json/json.ts';
import { available } from '../../base/text/suggestion.ts';
import type { PolicyProblem } from '../model/policy.ts';

/** What a policy returned, read; or in words what it should have been. */
export type ReadProblems =
  | { readonly ok: true; readonly problems: readonly PolicyProblem[] }
  | { readonly ok: false; readonly message: string };

/** More of one policy are a mistake of it, and nobody would read them. */
export const mostProblems = 10_000;

/** Characters of a text; nobody reads more. */
const longestText = 2_000;

const optionalTexts = ['fix', 'path', 'resource'] as const;
const known: ReadonlySet<string> = new Set(['message', 'severity', ...optionalTexts]);

/** Reads what a policy returned, which may be anything; a proxy or a getter in it may throw. */
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
    problems.push({ message: cut(message), ...textsOf(each), ...(severity === undefined ? {} : { severity }) });
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

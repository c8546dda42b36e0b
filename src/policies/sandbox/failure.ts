import { userFrame } from '../../../constructs/origin.ts';
import { present } from '../../base/json/present.ts';
import { suggestion } from '../../base/text/suggestion.ts';
import { readThrown, type Thrown } from '../../base/thrown.ts';
import type { Position } from '../../manifest/model/manifest.ts';
import { type Excess, excessText } from '../../project/session/bounded.ts';
import { errorText } from '../../project/stack/parserMessage.ts';
import { longestText, type SandboxFailure } from '../../sandbox/failure.ts';
import type { ThrownInSandbox } from '../rules/inSandbox.ts';
import { NoAnswer } from '../rules/runPolicy.ts';

/** Why a policy, or a file, has no answer. */
export interface PolicyFailure {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  /** Absent if the line is unknown. */
  readonly position?: Position | undefined;
  readonly resource?: string | undefined;
}

/** A policy's invalid answer. */
export interface Unanswered {
  readonly failed: string;
  readonly resource?: string | undefined;
  /** Absent if it did not throw. */
  readonly thrown?: ThrownInSandbox;
}

/** The line of the user's code that threw the error. */
export function placeOf({ frames }: Thrown): Position | undefined {
  return userFrame(frames);
}

/** A file that cannot be loaded. `isRefused`: the message names the refused import, or the fault of a text. */
export function loadFailure(thrown: ThrownInSandbox, position: Position, isRefused: boolean): PolicyFailure {
  const { code, message, hint } = thrown;
  if (code === 'policies.definition' && hint !== undefined) return { code, message, hint, position };
  return {
    code: 'policies.load',
    message: `the file cannot be loaded: ${isRefused ? message : messageOf(thrown)}`,
    hint: hint ?? missingHint(thrown) ?? 'Correct the file.',
    position,
  };
}

/** A file that exports no policies. */
export function noPolicy(file: string): PolicyFailure {
  const hint = "Export what policy() of 'gantry/policies' makes; put what policies share into a folder below.";
  const position = { file, line: 1, column: 1 };
  return { code: 'policies.none', message: 'the file exports no policy', hint, position };
}

/** Two policies have the same id. */
export function twiceFailure(id: string, position: Position | undefined): PolicyFailure {
  return {
    code: 'policies.twice',
    message: `there are two policies with the id ${id}`,
    hint: 'Ids are unique: choose another one. That of the starter set and of rules in gantry.yaml count too.',
    position,
  };
}

/** A policy is about a kind that cannot be declared. */
export function unknownKind(
  id: string,
  kind: string,
  { known, position }: Pick<PolicyFailure, 'position'> & { readonly known: readonly string[] },
): PolicyFailure {
  return {
    code: 'policies.definition',
    message: `the policy ${id} is about the kind ${JSON.stringify(kind)}, which does not exist`,
    hint: suggestion(kind, known) ?? `Kinds: ${known.join(', ')}.`,
    position,
  };
}

/** A policy that gave no answer. `position`: where it was created. */
export function answerFailure(
  id: string,
  { failed, resource, thrown }: Unanswered,
  position: Position | undefined,
): PolicyFailure {
  if (thrown === undefined) {
    const hint =
      'A policy returns a list of problems, such as [{message: "…", path: "spec.type"}]; an empty one where nothing is wrong.';
    const message = `the policy ${id} gave no answer: ${failed}`;
    return { code: 'policies.result', message, hint, position, resource };
  }
  return {
    code: 'policies.throws',
    message: `the policy ${id} threw ${messageOf(thrown)}`,
    hint: thrown.hint ?? hintOf(thrown),
    position: placeOf(thrown) ?? position,
    resource,
  };
}

/** The same for a policy that was run in this process. */
export function unansweredBy(error: unknown): Unanswered {
  const { message, resource, cause } = error instanceof NoAnswer ? error : new NoAnswer('it threw', undefined, error);
  return { failed: message, resource, ...present({ thrown: cause === undefined ? undefined : readThrown(cause) }) };
}

function messageOf(thrown: Thrown): string {
  return thrown.isError ? errorText(thrown) : thrown.value;
}

function hintOf(thrown: Thrown): string {
  if (/read.only|object is not extensible|[Cc](?:annot|ould not) delete property/.test(thrown.message)) {
    return 'The arguments of a policy are read-only: copy a value before you change it.';
  }
  return missingHint(thrown) ?? 'Correct the policy. Use ?. to read fields that a manifest may omit.';
}

/** Functions that programs have elsewhere, but not in a sandbox. */
const absent =
  /^'?(?:process|require|fetch|Buffer|URL|set(?:Timeout|Interval|Immediate)|performance|crypto|structuredClone|__dirname|Intl)'? is not defined/;

function missingHint({ name, message }: Thrown): string | undefined {
  if (name !== 'ReferenceError' || !absent.test(message)) return undefined;
  return 'Policies have nothing but the language and what they are given: the time is context.now, and values from files are context.inputs (policies.inputs in gantry.yaml).';
}

/** The maximum number of characters that policies may write. */
export const mostOutput = 2 ** 20;

/** An execution that ended before it had an answer. */
export function endFailure(
  reason: Exclude<SandboxFailure['reason'], 'over'> | Excess,
  { what, position }: Pick<PolicyFailure, 'position'> & { readonly what: string },
  { timeoutMs, memoryMb }: { readonly timeoutMs: number; readonly memoryMb: number },
  message = '',
): PolicyFailure {
  const [code, said, hint] = {
    time: ['timeout', excessText.time(timeoutMs), 'Let it end, or allow more time: policies.timeout in gantry.yaml.'],
    memory: ['memory', excessText.memory(memoryMb), 'Let it take less, or allow more: policies.memory in gantry.yaml.'],
    output: [
      'output',
      excessText.output(mostOutput),
      'Return problems; write nothing but a few lines while you look for a mistake.',
    ],
    size: ['output', excessText.size(longestText), 'Return fewer problems.'],
    pending: ['ended', 'awaits a promise that never settles', 'Return problems, or throw an error.'],
    stack: ['ended', 'needs more levels of calls than there are, and was ended', 'Nest calls and values less deeply.'],
    thrown: ['ended', `ended its sandbox: ${message}`, 'Return problems, or throw an error.'],
  }[reason];
  return { code: `policies.${code}`, message: `${what} ${said}`, hint: hint ?? '', position };
}

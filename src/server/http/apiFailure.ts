import type { JsonObject } from '../../base/json/json.ts';
import { codeOfStatus, type ErrorCode, errorCodes } from '../../schema/facts/errorCodes.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { mostProblems } from './limits.ts';

export interface FailureFields {
  /** The list `problems`, or further data such as the DNS record to create. */
  readonly details?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A refused request, with the status, code and body of platform/errors.body. It is thrown to undo its write. `kind`:
 * its code, or a status if no code is more specific.
 */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: JsonObject | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: ErrorCode | number, message: string, { details, headers = {} }: FailureFields = {}) {
    super(clipped(message));
    this.name = 'ApiFailure';
    this.status = typeof kind === 'number' ? kind : errorCodes[kind].status;
    this.code = typeof kind === 'number' ? codeOfStatus(kind) : kind;
    this.details = details;
    this.headers = headers;
  }
}

/** Messages must not repeat megabytes of input. */
const maxMessageLength = 1000;

function clipped(text: string): string {
  return text.length <= maxMessageLength ? text : `${text.slice(0, maxMessageLength)}…`;
}

/** A refusal with all problems found. `more`: whether further ones exist. */
export function invalid(
  found: readonly Pick<Problem, 'message' | 'path' | 'rule' | 'hint'>[],
  code: ErrorCode = 'validation_failed',
): ApiFailure {
  const problems = found.slice(0, mostProblems).map(({ path, message, rule, hint }) => {
    const fix = hint === undefined ? {} : { hint: clipped(hint) };
    return { path: clipped(path), message: clipped(message), rule, ...fix };
  });
  const [first] = problems;
  const more = found.length > mostProblems;
  const others = more ? `${mostProblems} or more others` : `${found.length - 1} more`;
  const rest = found.length > 1 ? ` (and ${others})` : '';
  const place = first === undefined || first.path === '' ? '' : `${first.path}: `;
  const fix = first?.hint === undefined ? '' : `. ${first.hint}`;
  const message = `${place}${first?.message ?? 'the request is not valid'}${rest}${fix}`;
  return new ApiFailure(code, message, { details: { problems, ...(more ? { more } : {}) } });
}

/** The 404 of an unknown path or record. */
export function notFound(path: string): ApiFailure {
  return new ApiFailure(404, `${path} does not exist`);
}

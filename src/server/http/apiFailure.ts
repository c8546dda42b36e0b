import type { JsonObject } from '../../schema/json.ts';
import type { Problem } from '../../schema/problem.ts';

export interface FailureFields {
  /** The code of specification 7, where one is known. */
  readonly code?: string;
  /** What is wrong, one by one; an object where protocol 7.8 says so. */
  readonly details?: readonly JsonObject[] | JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that is refused, with the status and body of specification 7. Thrown, so that its write is undone. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly details: readonly JsonObject[] | JsonObject | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, { code, details, headers = {} }: FailureFields = {}) {
    super(clipped(message));
    this.name = 'ApiFailure';
    this.status = status;
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}

/** A refusal is for people: it does not send back megabytes of what came. */
const mostDetails = 200;
const longestText = 1000;

function clipped(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText)}…`;
}

/** 400 with everything that is wrong. */
export function invalid(problems: readonly Problem[], status = 400, code?: string): ApiFailure {
  const details = problems.slice(0, mostDetails).map(({ path, message, rule }) => {
    return { path: clipped(path), message: clipped(message), rule };
  });
  const [first] = details;
  const rest = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const place = first === undefined || first.path === '' ? '' : `${first.path}: `;
  const message = `${place}${first?.message ?? 'the request is not valid'}${rest}`;
  return new ApiFailure(status, message, { details, ...(code === undefined ? {} : { code }) });
}

/** 404 for a path or record that is not there. */
export function notFound(path: string): ApiFailure {
  return new ApiFailure(404, `${path} does not exist`);
}

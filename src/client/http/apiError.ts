import { stripVTControlCharacters } from 'node:util';
import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  own,
  stringAt,
} from '../../base/json/json.ts';
import { compact, present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import type { BodyProblem } from '../../schema/record/problem.ts';

export type ApiErrorCode =
  | 'api.invalid'
  | 'api.unauthorized'
  | 'api.forbidden'
  | 'api.not-found'
  | 'api.conflict'
  | 'api.quota'
  | 'api.method'
  | 'api.unavailable'
  | 'api.reply-lost'
  /** A write was accepted, and its record is not shown. */
  | 'api.unseen'
  /** 410 for a creation: the platform does not allow this name again. */
  | 'api.name-spent'
  /** Records have no usable version: nothing is planned or written. */
  | 'api.no-version'
  /** The certificate is not trusted, or the other side does not speak TLS. */
  | 'api.tls'
  /** The answer does not follow the protocol: no JSON, a redirect, a record without id. */
  | 'api.bad-reply'
  /** A redirect to another address, which is not followed because it would receive the token. */
  | 'api.redirect'
  /** A limit was exceeded: of an answer, its header, or a list. */
  | 'api.too-large'
  | 'api.too-slow'
  | 'api.endless-list'
  /** The request was not sent, because the caller must not write any more. */
  | 'api.withheld'
  /** More records exist than the list shows, and there is no known way to read them. */
  | 'api.incomplete-list';

export interface ApiErrorFields {
  readonly code: ApiErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly cause?: unknown;
  /** HTTP status; absent if there was no answer. */
  readonly status?: number;
  /** The platform's own code, such as `apex_must_exist`. */
  readonly wireCode?: string | undefined;
  readonly details?: JsonValue | undefined;
}

/** The platform refused a request, or did not answer. */
export class ApiError extends ToolError {
  override readonly code: ApiErrorCode;
  readonly status: number | undefined;
  readonly wireCode: string | undefined;
  readonly details: JsonValue | undefined;

  constructor({ code, message, hint, cause, status, wireCode, details }: ApiErrorFields) {
    super({ code, message, ...present({ hint }), cause });
    this.code = code;
    this.status = status;
    this.wireCode = wireCode;
    this.details = details;
  }
}

export function badReply(message: string): ApiError {
  return new ApiError({
    code: 'api.bad-reply',
    message,
    hint: 'Check the endpoint: this is not an answer of the platform.',
  });
}

/** The error for a 3xx. It names only the origin of the target, because the rest of the address may contain secrets. */
export function redirected(request: string, status: number, location: string | undefined): ApiError {
  const origin = location !== undefined && URL.canParse(location) ? new URL(location).origin : undefined;
  return new ApiError({
    code: 'api.redirect',
    message:
      `${request}: the platform answered ${status}, a ` +
      `redirect${origin === undefined ? '' : ` to ${origin}`}, which is not ` +
      'followed',
    hint:
      origin === undefined
        ? 'Check the endpoint: this is not an answer of the platform.'
        : `If that is the platform, give it as --endpoint ${origin}; else check the endpoint.`,
    status,
  });
}

/** Section 9 of the specification: every record carries an integer `version`. */
export function noVersion(record: string): ApiError {
  return new ApiError({
    code: 'api.no-version',
    message: `${record} has no version that is a number`,
    hint: 'Without versions nobody can say whether a record has changed since it was read, so Gantry plans and writes nothing on this platform.',
  });
}

export function isCode(error: unknown, ...codes: readonly ApiErrorCode[]): error is ApiError {
  return error instanceof ApiError && codes.some((code) => code === error.code);
}

const codes: Readonly<Record<number, ApiErrorCode>> = {
  401: 'api.unauthorized',
  403: 'api.forbidden',
  404: 'api.not-found',
  405: 'api.method',
  409: 'api.conflict',
  410: 'api.not-found',
  501: 'api.method',
};

const hints: Partial<Record<ApiErrorCode, string>> = {
  'api.unauthorized': 'Check the token: --token, GANTRY_TOKEN, gantry.yaml or the profile.',
  'api.forbidden': 'Ask an administrator of the org for this permission.',
  'api.quota': 'Raise the quota of the org, or remove what it no longer needs.',
};

const unavailable: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * The error of an answer (platform/errors.body, platform/errors.statuses). The message is that of the platform, with
 * one line for each problem in `details`, or only these lines if it just repeats the first. `request` is `POST
 * /org/x/gvc`.
 */
export function wireError(status: number, body: JsonValue | undefined, request: string, unread?: string): ApiError {
  const fields: JsonObject = isObject(body) ? body : {};
  const said = stringAt(fields, 'message');
  const message =
    said === undefined
      ? `the platform answered ${status}${unread === undefined ? '' : `; ${unread}`}`
      : shownLine(said);
  const code = codeOf(status, message);
  const details = detailLines(own(fields, 'details'));
  const [first] = listAt(objectAt(fields, 'details'), 'problems');
  const isSummary = first !== undefined && said?.startsWith(problemLine(first)); // `FIRST PROBLEM (and 2 more). FIX`
  const lines = shownLines(isSummary ? details : [message, ...details]);
  return new ApiError({
    code,
    message: `${request}: ${lines.join('\n  ')}`,
    hint: hints[code],
    status,
    wireCode: stringAt(fields, 'code'),
    details: own(fields, 'details'),
  });
}

/** `429` with `quota` in its message is permanent, otherwise it is rate limiting (platform/wire.retries). */
export function isQuota(status: number, message: string): boolean {
  return status === 429 && /quota/i.test(message);
}

function codeOf(status: number, message: string): ApiErrorCode {
  if (isQuota(status, message)) return 'api.quota';
  if (unavailable.has(status)) return 'api.unavailable';
  if (status < 400) return 'api.bad-reply';
  return codes[status] ?? (status >= 500 ? 'api.unavailable' : 'api.invalid');
}

/** `details` is an object (platform/errors.body); anything else cannot be shown. */
function detailLines(details: JsonValue | undefined): readonly string[] {
  if (!isObject(details)) return [];
  const { problems, ownershipConfig, ...others } = details;
  return [
    ...(isArray(problems) ? problems.map(problemWithFix) : []),
    ...(isArray(ownershipConfig) ? ownershipConfig.map(recordLine) : []),
    ...Object.entries(others).map(([key, value]) => `${key}: ${text(value)}`),
  ];
}

function problemLine(problem: JsonValue): string {
  if (!isObject(problem)) return text(problem);
  const message = stringAt(problem, 'message') ?? text(problem);
  const path = stringAt(problem, 'path');
  return path === undefined || path === '' ? message : `${path}: ${message}`;
}

function problemWithFix(problem: JsonValue): string {
  const hint = isObject(problem) ? stringAt(problem, 'hint') : undefined;
  return hint === undefined ? problemLine(problem) : `${problemLine(problem)}. ${hint}`;
}

/** The individual problems of a refusal, shortened to a readable length; empty if it lists none. */
export function bodyProblems({ details }: ApiError): readonly BodyProblem[] {
  if (!isObject(details)) return [];
  return compact(listAt(details, 'problems').filter(isObject), (problem) => {
    const message = stringAt(problem, 'message');
    return message === undefined
      ? undefined
      : { path: shownLine(stringAt(problem, 'path') ?? ''), message: shownLine(message) };
  });
}

/** A DNS record to create before the request is repeated (`must_prove_ownership`). */
function recordLine(record: JsonValue): string {
  const fields = objectAt({ record }, 'record');
  const part = (key: string) => text(own(fields, key) ?? '');
  return `create the DNS record ${part('type')} ${part('host')} ${part('value')}`;
}

function text(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Maximum characters of one line from the platform in a message. */
const longestLine = 1_000;
/** Maximum lines from the platform in a message. */
const mostLines = 20;

/** Characters that are invisible, or change the direction of text; line breaks and tabs are kept. */
const invisible = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** The platform's text without terminal control sequences. */
export function withoutControls(text: string): string {
  return stripVTControlCharacters(text).replace(invisible, '');
}

/** Shortens a text to a readable length. Secrets in it must be masked before. */
function shownLine(text: string): string {
  if (text.length <= longestLine) return text;
  return `${text.slice(0, longestLine).toWellFormed()}… (${text.length} characters)`;
}

/** The first lines of a message, each shortened. */
function shownLines(texts: readonly string[]): readonly string[] {
  const lines = texts.flatMap((text) => text.split('\n', mostLines + 1));
  const more = lines.length - mostLines;
  const shown = lines.slice(0, mostLines).map(shownLine);
  return more > 0 ? [...shown, '… and more lines'] : shown;
}

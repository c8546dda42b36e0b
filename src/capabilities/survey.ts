import { isArray, isObject, type JsonObject, type JsonValue, own, stringAt } from '../base/json/json.ts';
import { compact } from '../base/json/present.ts';
import { runs } from '../kinds/kindFacts.ts';
import { isContainer } from '../schema/record/kinds.ts';
import type { Finding } from './capabilities.ts';

export interface Question {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the endpoint. */
  readonly path: string;
  readonly body?: JsonObject;
}

/** The response to one question, with any status; 0 if there was none. */
export interface Seen {
  readonly status: number;
  readonly body: JsonValue | undefined;
}

/** The outcome of a decision, or why there is none. `detail` names kinds, fields and statuses, never a record. */
export type Verdict =
  | { readonly finding: Finding; readonly detail?: string | undefined }
  | { readonly finding?: undefined; readonly because: string };

export const holds: Verdict = { finding: 'holds' };

export function otherwise(detail?: string): Verdict {
  return { finding: 'otherwise', detail };
}

export function unasked(because: string): Verdict {
  return { because };
}

/** Decides from the responses. */
export type Decide = (survey: Survey) => Verdict;

/** The responses so far, by question name. */
export class Survey {
  readonly org: string;
  readonly #answers: ReadonlyMap<string, Seen>;

  constructor(org: string, answers: ReadonlyMap<string, Seen>) {
    this.org = org;
    this.#answers = answers;
  }

  seen(question: string): Seen | undefined {
    return this.#answers.get(question);
  }

  all(): ReadonlyMap<string, Seen> {
    return this.#answers;
  }

  /** The record or list in a successful response. */
  body(question: string): JsonObject | undefined {
    const seen = this.seen(question);
    return seen !== undefined && isSuccess(seen) && isObject(seen.body) ? seen.body : undefined;
  }

  /** Undefined if the response is not a list. */
  items(question: string): readonly JsonObject[] | undefined {
    const body = this.body(question);
    const items = body === undefined ? undefined : own(body, 'items');
    return isArray(items) ? items.filter(isObject) : undefined;
  }

  /** The first named record of a list: an existing one, or one that the doctor created. */
  first(kind: string): JsonObject | undefined {
    const { list: made } = madeBy(kind);
    const items = compact([listOf(kind), made]).flatMap((name) => this.items(name) ?? []);
    return items.find((item) => stringAt(item, 'name') !== undefined);
  }

  /** The response to GET of that record. */
  record(kind: string): Seen | undefined {
    const { record: made } = madeBy(kind);
    return this.seen(recordOf(kind)) ?? (made === undefined ? undefined : this.seen(made));
  }

  /** Decides from one response, unless it says nothing about the platform. */
  about(question: string, decide: (seen: Seen) => Verdict): Verdict {
    const seen = this.seen(question);
    if (seen === undefined) return unasked('there was nothing to ask it with');
    return cannotTell(seen) ?? decide(seen);
  }

  /** Decides from a question that succeeds if the assumption holds. */
  succeeds(question: string, isRight: (body: JsonObject) => boolean = () => true): Verdict {
    return this.about(question, (seen) => {
      const body = this.body(question);
      if (body !== undefined && isRight(body)) return holds;
      return otherwise(body === undefined ? statusText(seen) : 'another form of answer');
    });
  }
}

/** The names of the list and of the read that contain the doctor's record. */
function madeBy(kind: string): { readonly list?: string; readonly record?: string } {
  if (isContainer(kind)) return { list: 'fresh', record: 'create:after' };
  return runs(kind) ? { list: 'list-in-own', record: 'workload:after' } : {};
}

export function recordOf(kind: string): string {
  return `record:${kind}`;
}

export function listOf(kind: string): string {
  return `list:${kind}`;
}

export function isSuccess({ status }: Seen): boolean {
  return status >= 200 && status < 300;
}

export function statusText({ status, body }: Seen): string {
  return isSuccess({ status, body }) && !isObject(body) ? `${status} without JSON` : `${status}`;
}

/** A refusal of this token, or a busy platform, says nothing about the platform's behaviour. */
export function cannotTell({ status }: Seen): Verdict | undefined {
  if (status === 401 || status === 403) return unasked(`this token is not allowed to ask it: ${status}`);
  if (status === 0) return unasked('there was no answer');
  if (status === 429 || status === 503) return unasked(`the platform was too busy: ${status}`);
  return undefined;
}

import type { JsonObject } from '../base/json/json.ts';
import { type RehearsalDocument, rehearsalForm } from '../change/documents/rehearsalDocument.ts';
import type { ResourceId } from '../schema/record/ref.ts';

/** The result of a plan on an embedded platform that starts with the live state. */
export interface Rehearsal {
  /** The number of requests of the undisturbed run. */
  readonly requests: number;
  readonly points: Points;
  /** Records that were not read but had to exist, in words: `user/ann@example.com`, `secret/db (its values)`. */
  readonly stoodInFor: readonly string[];
  /** Our own assumptions about the platform that the plan relies on, in words. */
  readonly proposed: readonly string[];
  /** Deletions whose referrers were not all read: the real platform refuses to delete a referenced record. */
  readonly unreadReferrers: readonly ResourceId[];
  /** Absent if it is consistent. */
  readonly problem?: RehearsalProblem;
}

/** Points of interruption: before each request of the undisturbed run, and after each whose answer is lost. */
export interface Points {
  readonly tried: number;
  readonly of: number;
  /** The seed of the sample; absent without one. */
  readonly seed?: string;
}

export interface RehearsalProblem {
  /** `apply`: the run itself; `plan`: the plan after it; `state`: the state after an interruption. */
  readonly what: 'apply' | 'plan' | 'state';
  /** The point of interruption that did not converge; absent for the undisturbed run. */
  readonly point?: Point;
  /** The request of the undisturbed run that was refused or answered unexpectedly, if there is a single one. */
  readonly request?: SentRequest;
  /** The differences, sorted, without values. */
  readonly differences: readonly string[];
}

/** One request of the undisturbed run. */
export interface SentRequest {
  /** Starts at 1. */
  readonly number: number;
  readonly method: string;
  readonly path: string;
}

export interface Point {
  readonly request: SentRequest;
  readonly when: 'before' | 'after';
}

export function rehearsalDocument(rehearsal: Rehearsal): RehearsalDocument {
  const { problem, ...others } = rehearsal;
  if (problem === undefined) return { ...others, consistent: true };
  const { point, ...what } = problem;
  const place = point === undefined ? {} : { point: { ...point.request, when: point.when } };
  return { ...others, consistent: false, problem: { ...what, ...place } };
}

export function rehearsalToJson(rehearsal: Rehearsal): JsonObject {
  return rehearsalForm.write(rehearsalDocument(rehearsal));
}

/** `kind/[gvc/]name`, for a record whose values were not read. */
export function valuesOf(id: ResourceId): string {
  return `${id} (its values)`;
}

import type { ApplyClock } from '../base/clock.ts';
import type { JsonObject, JsonValue } from '../base/json/json.ts';
import type { Capabilities } from '../capabilities/capabilities.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import type { RequestBody } from '../manifest/model/body.ts';
import type { Kind } from '../schema/record/kinds.ts';
import type { BodyProblem } from '../schema/record/problem.ts';
import type { Ref } from '../schema/record/ref.ts';

/**
 * The platform as the applier needs it. `client/` satisfies it by shape alone.
 *
 * Every method rejects with a ToolError whose `code` is one of: `api.invalid` (400), `api.unauthorized` (401),
 * `api.forbidden` (403), `api.not-found` (404), `api.conflict` (409), `api.quota` (429 with quota), `api.method` (405),
 * `api.unavailable` (no retries left), `api.reply-lost` (the request may have been carried out), `api.unseen` (it was
 * accepted, and its record is not shown yet), `api.name-spent` (the platform does not allow this name again).
 */
export interface PlatformPort {
  /** `marked`: texts that must not appear in an error, although the platform may repeat them. */
  create(ref: Ref, body: RequestBody, marked?: readonly string[]): Promise<LiveResource>;
  /**
   * Problems that the platform finds in the body of a creation, by a dry run: nothing is stored. Only called if the
   * platform honours dry runs.
   */
  tryCreate(ref: Ref, body: RequestBody, marked?: readonly string[]): Promise<readonly BodyProblem[]>;
  patch(ref: Ref, body: RequestBody, marked?: readonly string[]): Promise<LiveResource>;
  /**
   * Resolves when the deletion is accepted, which may take a while to complete, or when the platform answers that there
   * is no such record. `isStillNeeded` is called before each retry of the port itself, because DELETE has no
   * precondition; false: a retry is not needed.
   */
  delete(ref: Ref, isStillNeeded?: () => Promise<boolean>): Promise<DeleteAnswer>;
  /** A secret is returned with its `data`. */
  read(ref: Ref): Promise<LiveResource | undefined>;
  /** Everything in a GVC, of all GVC-scoped kinds. */
  children(gvc: string): Promise<readonly LiveResource[]>;
  deployments(ref: Ref): Promise<readonly JsonObject[]>;
  /**
   * The records that carry the owner's tag now, with id, uid and version; of all kinds unless some are given.
   * `expected`: refs that are read by name if a list does not show them.
   */
  owned(owner: string, kinds?: readonly Kind[], expected?: readonly Ref[]): Promise<readonly LiveResource[]>;
  /**
   * A value that only the answer to a creation of this run has, or a key, which is then created. Errors: `live.once`,
   * `api.key`. Absent if values that are shown once cannot be read.
   */
  shownOnce?(reference: { readonly ref: Ref; readonly path: string }): Promise<JsonValue>;
  /** Knowledge of the platform. If absent, every assumption holds until this run learns otherwise. */
  readonly capabilities?: Capabilities;
  /** Requests sent so far, retries included. If absent, the applier counts its calls. */
  requests?(): number;
}

/** `not-found` alone proves nothing: the platform may still show the record, or answer so only for a moment. */
export type DeleteAnswer = 'accepted' | 'not-found';

/** Real time. */
export const systemClock: ApplyClock = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      }
      signal?.addEventListener('abort', done);
    }),
};

/** Why nothing had to be written; if neither is set, it was written. */
export interface Unwritten {
  /** The record was already as planned, because of another run or a request whose answer was lost. */
  readonly already?: true;
  /** The record already has the values that it takes from others. */
  readonly unchanged?: true;
}

/**
 * The last known state of a record: the last answer of its writes, or that it no longer exists or is no longer ours.
 */
export type Written =
  | ({ readonly as: 'stored'; readonly live: LiveResource } & Unwritten)
  /** `denied`: reads and DELETE, if it was sent, were answered with 404: the record may only be hidden. */
  | { readonly as: 'deleted'; readonly uid: string; readonly denied?: true }
  | { readonly as: 'forgotten' };

import { unlike } from '../../apply/reply/replyCheck.ts';
import { type JsonObject, own } from '../../base/json/json.ts';
import { ApiError, isCode } from '../../client/http/apiError.ts';
import { hiddenField } from '../../schema/facts/kindFacts.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { formatRef, type Ref } from '../../schema/record/ref.ts';

/** What is needed of the platform to look at a record. */
interface Reading {
  get(path: string): Promise<JsonObject>;
}

interface Lost {
  /** Of the record that was written. */
  readonly path: string;
  /** Undefined: it is not known of which kind it is. */
  readonly kind: Kind | undefined;
  readonly body: JsonObject;
  /** Is it a record as the write was to leave it? */
  readonly shows: (record: JsonObject) => boolean;
}

/** How long is waited before each look, in milliseconds: a platform may show late what was written. */
const looks = [0, 100, 300, 600, 1_000];

/**
 * The record that a write has left whose answer was lost: what the record shows is true, whatever became of the answer.
 * Errors: the given one where it is another one, or no look shows the write. A look that fails shows nothing.
 */
export async function readBack(api: Reading, error: unknown, lost: Lost): Promise<JsonObject> {
  if (!isCode(error, 'api.reply-lost')) throw error;
  const { path, kind, body, shows } = lost;
  const field = kind === undefined ? undefined : hiddenField(kind);
  const isHidden = field !== undefined && own(body, field) !== undefined;
  for (const pauseMs of looks) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const record = await unlessRefused(api.get(isHidden ? `${path}/-reveal` : path));
    if (record === undefined || (isHidden && own(record, field) === undefined) || !shows(record)) continue;
    // What is hidden is not shown by the command either.
    return isHidden ? api.get(path) : record;
  }
  const { code, message, status } = error;
  throw new ApiError({
    code,
    message: `${message}, but the platform does not show it`,
    hint: 'Read the record before you run the command again.',
    ...(status === undefined ? {} : { status }),
    cause: error,
  });
}

/** Where a record is not what it is to be: the paths of `expected` that differ in meaning. */
export function unlikeRecord(ref: Ref, record: JsonObject, expected: JsonObject, org: string): readonly string[] {
  return unlike(expected, { ref, id: formatRef(ref), uid: '', version: 0, record }, org);
}

export function isLike(ref: Ref, record: JsonObject, expected: JsonObject, org: string): boolean {
  return unlikeRecord(ref, record, expected, org).length === 0;
}

async function unlessRefused(asked: Promise<JsonObject>): Promise<JsonObject | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

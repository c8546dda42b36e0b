import { holdsDirectives } from '../../apply/patchForms.ts';
import { unlike } from '../../apply/replyCheck.ts';
import { type JsonObject, type JsonValue, own, stringAt } from '../../base/json/json.ts';
import { compact, present } from '../../base/json/present.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { instantOf } from '../../base/text/instant.ts';
import { ApiError, isCode } from '../../client/http/apiError.ts';
import type { Reply } from '../../client/http/requester.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import { isFormOf } from '../../plan/record/platformValues.ts';
import type { Kind } from '../../schema/record/kinds.ts';
import { contextOf, formatRef, type Ref } from '../../schema/record/ref.ts';
import { matchPath, shapeAt, touches } from '../../schema/shape/paths.ts';
import type { Shape } from '../../schema/shape/shape.ts';

/** The requests needed to read a record. */
interface Reading {
  send(method: 'GET', path: string): Promise<Reply>;
}

interface Lost {
  /** The path of the written record. */
  readonly path: string;
  /** Undefined if the kind is not known. */
  readonly kind: Kind | undefined;
  readonly body: JsonObject;
  /** The paths where the record differs from the result of the write; undefined if that cannot be determined. */
  readonly differs: (record: JsonObject) => readonly string[] | undefined;
  /** For a creation: when it was sent, by `performance.now()`. An older record is not its result. */
  readonly sentMs?: number;
}

/** The delay before each read, in milliseconds: a platform may show a write late. */
const looks = [0, 100, 300, 600, 1_000];

/**
 * The record after a write whose answer was lost; the record itself shows the result. Errors: the given one if it is
 * another one, or if no read shows the write. A failed read proves nothing.
 */
export async function readBack(api: Reading, error: unknown, lost: Lost): Promise<JsonObject> {
  if (!isCode(error, 'api.reply-lost')) throw error;
  const { path, kind, body, differs, sentMs } = lost;
  const field = kind === undefined ? undefined : hiddenField(kind);
  const isHidden = field !== undefined && own(body, field) !== undefined;
  let seen = notSeen;
  for (const pauseMs of looks) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const reply = await unlessRefused(api.send('GET', isHidden ? `${path}/-reveal` : path));
    if (reply === undefined || (isHidden && own(reply.record, field) === undefined)) continue;
    // The platform has stored directives of the write as fields: it was carried out, and the caller corrects it.
    if (holdsDirectives(body) && holdsDirectives(reply.record)) return reply.record;
    const paths = differs(reply.record);
    if (paths === undefined) seen = 'the record does not tell whether it was';
    else if (paths.length > 0) seen = `${notSeen}${isHidden ? '' : valuesAt(kind, reply.record, paths)}`;
    else if (sentMs !== undefined && !isMadeSince(reply, sentMs)) seen = 'such a record may have been there before';
    // The command does not show hidden values either.
    else return isHidden ? (await api.send('GET', path)).record : reply.record;
  }
  const { code, message, status } = error;
  throw new ApiError({
    code,
    message: `${message}, but ${seen}`,
    hint: 'Read the record before you run the command again.',
    ...present({ status }),
    cause: error,
  });
}

/**
 * The record after a write whose answer does not show it: reads again while the platform shows an older record, or
 * none. If no read shows the write, the last one counts. Errors: those of the last read.
 */
export async function readAfter(
  read: () => Promise<JsonObject>,
  showsWrite: (record: JsonObject) => boolean = () => true,
): Promise<JsonObject> {
  for (const pauseMs of looks.slice(0, -1)) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const record = await unlessRefused(read());
    if (record !== undefined && showsWrite(record)) return record;
  }
  await new Promise((resolve) => setTimeout(resolve, looks.at(-1)));
  return read();
}

const notSeen = 'the platform does not show it';
const mostPaths = 3;
const longestValue = 80;

/** Such as `: description is "theirs"`. */
function valuesAt(kind: Kind | undefined, record: JsonObject, paths: readonly string[]): string {
  if (kind === undefined) return '';
  const words = paths.slice(0, mostPaths).map((path) => {
    const { value } = placed(kind, record, path);
    if (value === undefined) return `${path} is not there`;
    const text = JSON.stringify(value);
    return text.length > longestValue ? `${path} is another one` : `${path} is ${text}`;
  });
  return `: ${words.join(', ')}${paths.length > mostPaths ? ', …' : ''}`;
}

function placed(kind: Kind, record: JsonObject, path: string): { readonly shape?: Shape; readonly value?: JsonValue } {
  const shape = shapeOf(kind, record);
  const [at] = matchPath(path, shape, record);
  return at === undefined ? {} : present({ shape: shapeAt(shape, at), value: valueThere(record, at) });
}

/**
 * Whether the record was created after this time. Both times are the platform's, so the local clock does not matter.
 * They are compared in seconds, the resolution of `Date`.
 */
function isMadeSince({ record, date }: Reply, sentMs: number): boolean {
  const created = instantOf(stringAt(record, 'created') ?? '');
  const began = Date.parse(date ?? '') - (performance.now() - sentMs);
  return created !== undefined && Math.floor(created / 1000) >= Math.floor(began / 1000);
}

/**
 * The paths where a record differs from the result of a change of `before`. Values that the change does not touch may
 * differ by then. A value that is neither the old nor the wanted one may be the platform's form of it, or another
 * client's.
 */
export function unlikeChange(
  ref: Ref,
  record: JsonObject,
  { before, wanted }: { readonly before: JsonObject; readonly wanted: JsonObject },
  org: string,
): readonly string[] {
  const hidden = hiddenField(ref.kind);
  // Hidden values are not in `before`.
  const set = compact([...unlikeRecord(ref, before, wanted, org), hidden]);
  const lacking = unlikeRecord(ref, record, wanted, org).filter((path) => set.some((each) => touches(each, path)));
  // The platform may fill in fields that the new value omits; only what the change removes must be absent.
  const removed = unlikeRecord(ref, wanted, before, org);
  const left = unlikeRecord(ref, wanted, record, org).filter((path) =>
    removed.some((each) => each === path || each.startsWith(`${path}.`)),
  );
  // If the old value is already such a form, nothing shows whether the write was carried out.
  const isStored = (path: string): boolean =>
    isFormAt(ref, path, { stored: record, wanted, org }) && !isFormAt(ref, path, { stored: before, wanted, org });
  return [...new Set([...lacking, ...left])].filter((path) => !isStored(path));
}

/** The paths where a record lacks what its creation requested. */
export function unlikeCreation(ref: Ref, record: JsonObject, wanted: JsonObject, org: string): readonly string[] {
  const isStored = (path: string): boolean => isFormAt(ref, path, { stored: record, wanted, org });
  return unlikeRecord(ref, record, wanted, org).filter((path) => !isStored(path));
}

interface Storing {
  readonly stored: JsonObject;
  readonly wanted: JsonObject;
  readonly org: string;
}

/** Whether the stored value is the platform's form of the wanted one, such as an image with its registry. */
function isFormAt(ref: Ref, path: string, { stored, wanted, org }: Storing): boolean {
  const { shape, value } = placed(ref.kind, wanted, path);
  if (shape === undefined || value === undefined) return false;
  const live = placed(ref.kind, stored, path).value;
  return isFormOf(shape, live, value, { context: contextOf(ref, org), wasDeclaredWith: () => false });
}

/** The same in both directions, so that fields missing from either record count. */
export function unlikeEither(ref: Ref, one: JsonObject, other: JsonObject, org: string): readonly string[] {
  return [...new Set([...unlikeRecord(ref, one, other, org), ...unlikeRecord(ref, other, one, org)])];
}

/** The paths of `expected` where the record differs in meaning. */
export function unlikeRecord(ref: Ref, record: JsonObject, expected: JsonObject, org: string): readonly string[] {
  return unlike(expected, { ref, id: formatRef(ref), uid: '', version: 0, record }, org);
}

export function isLike(ref: Ref, record: JsonObject, expected: JsonObject, org: string): boolean {
  return unlikeRecord(ref, record, expected, org).length === 0;
}

async function unlessRefused<Asked>(asked: Promise<Asked>): Promise<Asked | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

import { isDeeperThan } from '../../../base/json/depth.ts';
import { maxBodyDepth } from '../../../schema/facts/limits.ts';
import type { Problem } from '../../../schema/record/problem.ts';
import { readPart } from '../../api/snapshot/readDump.ts';
import { type SnapshotPart, snapshotParts } from '../../api/snapshot/snapshotItems.ts';
import { nextTurn, sliceMs } from '../../core/slices.ts';
import { ApiFailure, invalid } from '../../http/apiFailure.ts';
import { mostProblems } from '../../http/limits.ts';
import type { Loaded, NewRow } from '../../store/row.ts';
import { rowKey } from '../../store/rowKey.ts';

/** The number of parts in one write. */
const mostAtOnce = 40;

interface Reading {
  /** The org that the snapshot must contain. */
  readonly home: string;
  /** The caller whose turn the work uses. */
  readonly caller: string;
  /** The client has disconnected. */
  readonly isGone: (() => boolean) | undefined;
}

/**
 * The parts of a snapshot, read and checked in slices. Throws an ApiFailure for invalid content, possibly only at the
 * end: the caller must then discard all earlier parts.
 */
export async function* snapshotContent(
  pieces: readonly string[],
  { home, caller, isGone }: Reading,
): AsyncGenerator<readonly Loaded[]> {
  const problems: Problem[] = [];
  const [seen, founded, members] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const taken = new Taken();
  let startedMs = performance.now();
  let batch: Loaded[] = [];
  for (const part of partsOf(pieces)) {
    if (part.of === 'document') members.add(part.name);
    if (part.of === 'org') {
      // Two orgs of one name would be merged.
      if (seen.has(part.org)) throw new ApiFailure('unreadable_body', `the body has the org ${part.org} twice`);
      seen.add(part.org);
    }
    if (isDeeperThan('value' in part ? part.value : null, maxBodyDepth)) {
      throw new ApiFailure('unreadable_body', `the body is nested deeper than ${maxBodyDepth} levels`);
    }
    const read = readPart(part, problems);
    if (read?.of === 'record') problems.push(...taken.again(read.org, read.row));
    if (problems.length > mostProblems) throw invalid(problems);
    if (read?.of === 'facts' && Object.hasOwn(read.facts, 'created')) founded.add(read.org);
    if (read !== undefined) batch.push(read);
    if (batch.length >= mostAtOnce) {
      if (problems.length === 0) yield batch;
      batch = [];
    }
    if (performance.now() - startedMs < sliceMs) continue;
    await nextTurn(caller);
    if (isGone?.() === true)
      throw new ApiFailure('unreadable_body', 'the client disconnected before its state was loaded');
    startedMs = performance.now();
  }
  problems.push(...missing(members, seen, founded));
  if (problems.length > 0) throw invalid(problems);
  if (!seen.has(home)) throw new ApiFailure(400, `orgs: the org ${home} of this server is not in it`);
  yield batch;
}

/** The places and ids of the records so far. */
class Taken {
  readonly #known = new Set<string>();

  again(org: string, row: NewRow): readonly Problem[] {
    const at = ['orgs', org, 'records'];
    return [`${org}/${rowKey(row)}`, `id ${row.uid}`].flatMap((key): readonly Problem[] => {
      const twice = this.#known.has(key);
      this.#known.add(key);
      const message = `two records have the ${key.startsWith('id ') ? key : `place ${key}`}`;
      return twice ? [{ rule: 'snapshot', path: at.join('.'), pointer: at, message, severity: 'error' }] : [];
    });
  }
}

function* partsOf(pieces: readonly string[]): Generator<SnapshotPart> {
  try {
    yield* snapshotParts(pieces);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // Without the quotation of the body in the message, which may contain a secret.
    const reason = error.message.split(/, (?="|\.\.\.)/, 1)[0] ?? '';
    throw new ApiFailure('unreadable_body', `the body is not JSON: ${reason}`);
  }
}

function missing(
  members: ReadonlySet<string>,
  seen: ReadonlySet<string>,
  founded: ReadonlySet<string>,
): readonly Problem[] {
  const lacking: (readonly string[])[] = [...seen]
    .filter((org) => !founded.has(org))
    .map((org) => ['orgs', org, 'facts', 'created']);
  if (!members.has('format')) lacking.unshift(['format']);
  if (!members.has('orgs') && seen.size === 0) lacking.unshift(['orgs']);
  return lacking.map((pointer) => ({
    ...{ rule: 'snapshot', path: pointer.join('.'), pointer, message: 'is missing' },
    severity: 'error',
  }));
}

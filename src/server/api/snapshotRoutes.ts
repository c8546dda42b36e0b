import { isDeeperThan } from '../../base/json/depth.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { maxBodyDepth } from '../../schema/facts/limits.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { inPieces, nextTurn, sliceMs } from '../core/slices.ts';
import { ApiFailure, invalid } from '../http/apiFailure.ts';
import type { Route } from '../http/dispatch/route.ts';
import { maxSnapshotBytes, mostProblems } from '../http/limits.ts';
import { reply } from '../http/message.ts';
import { withoutQuotation } from '../http/readBody.ts';
import { type Loaded, type NewRow, rowKey, type View } from '../store/model/row.ts';
import { readPart, snapshotFormat } from './readDump.ts';
import { type SnapshotPart, snapshotParts } from './snapshotItems.ts';

const snapshot: JsonObject = {
  type: 'object',
  properties: { format: { type: 'integer' }, orgs: { type: 'object' } },
  required: ['format', 'orgs'],
};

/** Reads and replaces the whole state as one document (local only). */
export const snapshotRoutes: readonly Route[] = [
  {
    id: 'snapshot.read',
    method: 'GET',
    path: '/-snapshot',
    summary: 'Read the whole state; secret values only with ?secrets=true',
    permission: 'admin',
    devOnly: true,
    answer: snapshot,
    handle({ platform, request, caller }) {
      const withSecrets = request.query.get('secrets') === 'true';
      const texts = snapshotTexts(() => platform.service.view(withSecrets), caller.link);
      return { status: 200, body: '', pieces: inPieces(texts) };
    },
  },
  {
    id: 'snapshot.load',
    method: 'PUT',
    path: '/-snapshot',
    summary: 'Replace the whole state',
    permission: 'admin',
    devOnly: true,
    body: snapshot,
    mostBodyBytes: maxSnapshotBytes,
    bodyInPieces: true,
    answer: 'empty',
    async handle({ platform, request, caller }) {
      const { bodyPieces = [], isGone } = request;
      const reading = { home: platform.service.home, caller: caller.link, isGone };
      await platform.service.replace(snapshotContent(bodyPieces, reading));
      return reply(200, {});
    },
  },
];

/** The maximum number of parts in one write. */
const mostAtOnce = 40;

interface Reading {
  /** The org that the snapshot must contain. */
  readonly home: string;
  /** The caller whose turns the work uses. */
  readonly caller: string;
  /** Whether the client has disconnected. */
  readonly isGone: (() => boolean) | undefined;
}

/**
 * The parts of a snapshot, read and checked in slices. Throws an ApiFailure for invalid content, possibly only at the
 * end: the caller must then discard all earlier parts.
 */
async function* snapshotContent(
  pieces: readonly string[],
  { home, caller, isGone }: Reading,
): AsyncGenerator<readonly Loaded[]> {
  const problems: Problem[] = [];
  const [seen, orgsWithCreation, members] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const keys = new RecordKeys();
  let startedMs = performance.now();
  let batch: Loaded[] = [];
  for (const part of partsOf(pieces)) {
    if (part.of === 'document') members.add(part.name);
    if (part.of === 'org') {
      // Two orgs with one name would be merged.
      if (seen.has(part.org)) throw new ApiFailure('unreadable_body', `the body has the org ${part.org} twice`);
      seen.add(part.org);
    }
    if (isDeeperThan('value' in part ? part.value : null, maxBodyDepth)) {
      throw new ApiFailure('unreadable_body', `the body is nested deeper than ${maxBodyDepth} levels`);
    }
    const read = readPart(part, problems);
    if (read?.of === 'record') problems.push(...keys.duplicates(read.org, read.row));
    if (problems.length > mostProblems) throw invalid(problems);
    if (read?.of === 'facts' && Object.hasOwn(read.facts, 'created')) orgsWithCreation.add(read.org);
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
  problems.push(...missing(members, seen, orgsWithCreation));
  if (problems.length > 0) throw invalid(problems);
  if (!seen.has(home)) throw new ApiFailure(400, `orgs: the org ${home} of this server is not in it`);
  yield batch;
}

/** The refs and ids of the records read before. */
class RecordKeys {
  readonly #known = new Set<string>();

  duplicates(org: string, row: NewRow): readonly Problem[] {
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
    throw new ApiFailure('unreadable_body', `the body is not JSON: ${withoutQuotation(error.message)}`);
  }
}

function missing(
  members: ReadonlySet<string>,
  seen: ReadonlySet<string>,
  orgsWithCreation: ReadonlySet<string>,
): readonly Problem[] {
  const missingPointers: (readonly string[])[] = [...seen]
    .filter((org) => !orgsWithCreation.has(org))
    .map((org) => ['orgs', org, 'facts', 'created']);
  if (!members.has('format')) missingPointers.unshift(['format']);
  if (!members.has('orgs') && seen.size === 0) missingPointers.unshift(['orgs']);
  return missingPointers.map((pointer) => ({
    ...{ rule: 'snapshot', path: pointer.join('.'), pointer, message: 'is missing' },
    severity: 'error',
  }));
}

/** The texts of a snapshot, made in slices while it is sent. The view is always closed at the end. */
async function* snapshotTexts(open: () => Promise<View>, caller: string): AsyncGenerator<string, void> {
  const view = await open();
  try {
    let startedMs = performance.now();
    for await (const part of parts(view)) {
      yield part;
      if (performance.now() - startedMs < sliceMs) continue;
      await nextTurn(caller);
      startedMs = performance.now();
    }
  } finally {
    await view.close();
  }
}

async function* parts(view: View): AsyncGenerator<string> {
  yield `{"format":${snapshotFormat},"orgs":{`;
  for (const [at, org] of (await view.orgs()).entries()) {
    const state = view.of(org);
    yield `${at === 0 ? '' : ','}${JSON.stringify(org)}:{"facts":${JSON.stringify(await state.facts())}`;
    yield* list('records', state.records());
    yield* list('leaving', state.leaving());
    yield* list('entries', state.entries());
    yield* list('due', state.due());
    yield '}';
  }
  yield '}}';
}

async function* list(name: string, items: AsyncIterable<object>): AsyncGenerator<string> {
  yield `,"${name}":[`;
  let separator = '';
  for await (const item of items) {
    yield separator + JSON.stringify(item);
    separator = ',';
  }
  yield ']';
}

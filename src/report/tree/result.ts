import { compact } from '../../base/json/present.ts';
import { counted } from '../../base/text/counted.ts';
import { seconds } from '../../base/text/duration.ts';
import { firstLines, firstOf } from '../../base/text/firstOf.ts';
import type { PlanDocument } from '../../change/documents/planDocument.ts';
import { countActions } from '../../change/words.ts';
import { unknownWriter } from '../../manifest/live/writer.ts';
import type { Action } from '../../plan/model/change.ts';
import { faintLine, type Group, type Line, line, type Node, type Piece, strong } from './tree.ts';

type Result = NonNullable<PlanDocument['result']>;
type Race = NonNullable<Result['races']>[number];
type Compared = NonNullable<Result['compared']>;

/** The outcome of a run, as nodes. */
export interface ResultTree {
  /** Deleted resources that are missing, and each failure with its remedy. */
  readonly failures: readonly Node[];
  /** The counts, races and notes, the verification, and the addresses. */
  readonly told: readonly Node[];
}

export function resultTree(
  result: Result,
  changes: readonly { readonly id: string; readonly action: Action }[],
): ResultTree {
  const actions = new Map(changes.map(({ id, action }) => [id, action]));
  const { outcome, failed, requests, elapsedMs, interrupted, races = [], notes = [] } = result;
  const lost = new Map(races.filter((race) => race.outcome !== 'written').map((race) => [race.id, race]));
  const raced = failed.filter(({ id, code }) => code === 'plan.stale' && lost.has(id));
  const reported = new Set(raced.map(({ id }) => id));
  const gone = [...failed, ...result.skipped].filter(({ reached }) => reached === 'deleted').map(({ id }) => id);
  const head: Piece =
    outcome === 'done'
      ? { text: 'Done:', tone: 'add' }
      : { text: outcome === 'not-ready' ? 'Not ready:' : 'Not finished:', tone: 'refuse' };
  const time = elapsedMs === undefined ? '' : ` in ${seconds(elapsedMs)}`;
  return {
    failures: compact([
      gone.length === 0 ? undefined : goneGroup(gone),
      ...failed.filter(({ id }) => !reported.has(id)).map(failureNode),
      ...racedNodes(raced, lost),
    ]),
    told: [
      line(
        head,
        ' ',
        ...countsLine(result, (id) => actions.get(id) ?? 'keep'),
        `. ${counted(requests, 'request')}${time}.`,
      ),
      ...(interrupted
        ? [line('Interrupted: what was in flight is finished; run the same command again to go on.')]
        : []),
      ...races
        .filter(({ id }) => !reported.has(id))
        .map((race) => line('Meanwhile ', { name: raceText(race, race.id) }, '.')),
      ...notes.map((note) => faintLine('Note: ', { name: note }, '.')),
      ...verification(result),
      ...addresses(result),
    ],
  };
}

/** Such as `1 created, 2 failed`. */
function countsLine(result: Result, actionOf: (id: string) => Action): Line {
  const { outcome, ready = [], changes = [] } = result;
  const open = [...result.failed, ...result.skipped];
  const countOf = (reached: 'written' | 'deleted'): number => open.filter((each) => each.reached === reached).length;
  const untouched = (of: readonly { readonly reached?: unknown }[]): number =>
    of.filter(({ reached }) => reached === undefined).length;
  const already = changes.filter((change) => change.already === true);
  const unchanged = changes.filter((change) => change.unchanged === true);
  const unwritten = new Set([...already, ...unchanged].map(({ id }) => id));
  const done = countActions(result.done.filter((id) => !unwritten.has(id)).map(actionOf), 'done');
  const late = outcome === 'not-ready';
  const [deleted, written, failed, skipped] = [
    countOf('deleted'),
    countOf('written'),
    untouched(result.failed),
    untouched(result.skipped),
  ];
  const isNothing = deleted + written + unwritten.size + ready.length === 0 && !late;
  const refused = (text: string): Piece => ({ text, tone: 'refuse' });
  const parts: readonly Piece[] = compact([
    deleted === 0 ? undefined : refused(`${deleted} deleted, not created again`),
    done === '' ? (isNothing ? 'nothing done' : undefined) : done,
    already.length === 0 ? undefined : `${already.length} done by another run already`,
    unchanged.length === 0 ? undefined : `${unchanged.length} unchanged`,
    ready.length === 0 ? undefined : `${ready.length} unchanged and ready`,
    written === 0 ? undefined : refused(`${written} written but not ${late ? 'ready' : 'finished'}`),
    failed === 0 ? undefined : refused(`${failed} ${late ? 'unchanged and not ready' : 'failed'}`),
    skipped === 0 ? undefined : `${skipped} skipped`,
  ]);
  return parts.flatMap((part, index) => (index === 0 ? [part] : [', ', part]));
}

/** Shown first, because the services of these resources are down. */
function goneGroup(ids: readonly string[]): Group {
  const tone = 'refuse';
  return {
    node: 'group',
    title: [
      { text: 'Deleted, not created again: ', tone },
      { name: ids.toSorted().join(', '), tone },
      { text: '.', tone },
    ],
    children: () => [line('hint: Apply again now. It creates them with what others had written to them.')],
  };
}

function failureNode({ id, code, message, hint }: Omit<Result['failed'][number], 'reached'>): Node {
  return { node: 'problem', word: 'error', id, code, message, hint };
}

/** The earlier writes of other clients: they explain more than the error, and all have the same next step. */
function racedNodes(failed: Result['failed'], races: ReadonlyMap<string, Race>): readonly Node[] {
  return failed.map(({ id, code, hint }, index) => {
    const race = races.get(id);
    const text = race?.outcome === 'unsure' ? unsureText(race) : race && `meanwhile ${raceText(race, 'it')}`;
    const message = text ?? '';
    return failureNode({ id, code, message, ...(index === failed.length - 1 && hint !== undefined ? { hint } : {}) });
  });
}

function unsureText({ from, to, theirs }: Race): string {
  const there = `the write of this run is there, and its answer was lost (version ${from} to ${to})`;
  const who = 'the platform itself or another writer';
  return `${there}; nothing tells whether ${who} has made ${theirs.join(', ')} what it is now`;
}

/** The other writer of a record, and which of both clients' fields it has now. */
function raceText({ outcome, from, to, theirs, notWritten, by }: Race, named: string): string {
  const isGone = to === undefined && outcome !== 'written';
  const what = isGone ? 'deleted' : from === 0 ? 'created' : 'wrote';
  const versions = to === undefined || from === 0 ? '' : ` (version ${from} to ${to})`;
  // A platform may change its own tags with each write.
  const isOfTags = theirs.length > 0 && theirs.every((path) => path.startsWith('tags.'));
  const unknown = isOfTags ? 'the platform or somebody else' : 'an unknown writer';
  const who = by.map((name) => (name === unknownWriter ? unknown : name)).join(' and ');
  const remaining = theirs.length === 0 ? '' : `; their change is still live in ${theirs.join(', ')}`;
  const missing =
    notWritten.length === 0 ? '; this run changed nothing' : `; this run did not write ${notWritten.join(', ')}`;
  const ours = outcome === 'written' ? '; the change of this run was written' : missing;
  return `${who} ${what} ${named}${versions}${remaining}${ours}`;
}

/** More differences are only counted. */
const mostDifferences = 10;

function verification(result: Result): readonly Node[] {
  const { verified, interrupted, compared, differences = [], failed, skipped, inDoubt = 0 } = result;
  if (verified === false) {
    const text = 'Verification failed: the live state differs from the plan, or could not be read. Plan again.';
    return [
      {
        node: 'group',
        title: [{ text, tone: 'refuse' }],
        children: () => firstLines(differences, mostDifferences).map((name) => line({ name })),
      },
    ];
  }
  if (interrupted) return [faintLine('Not verified.')];
  if (verified === true && result.verification === 'full') {
    return [line(`Verified: ${['a new plan of everything is empty', ...stays(inDoubt)].join('; ')}.`)];
  }
  if (compared === undefined) {
    const isWritten = [...failed, ...skipped].some(({ reached }) => reached !== undefined);
    return [line(isWritten ? 'What was written was not compared.' : 'Nothing was written.')];
  }
  const isWhole = failed.length + skipped.length === 0;
  const found = [...foundWords(compared), ...stays(inDoubt)].join('; ');
  return [
    {
      node: 'group',
      title: [`${isWhole ? 'Verified' : 'What was done was compared'}: ${found}.`],
      children: () =>
        compact([
          listed('Written by somebody else since, and still as declared: ', compared.rewritten),
          listed('At a newer version than in the saved plan, and not compared: ', compared.notCompared),
        ]),
    },
  ];
}

/** States only what was compared. */
function foundWords({ written, unchanged, deleted, released }: Compared): readonly string[] {
  const there = compact([
    written === 0 ? undefined : `${written} written`,
    unchanged === 0 ? undefined : `${unchanged} unchanged`,
  ]);
  return compact([
    there.length === 0 ? undefined : isOrAre(written + unchanged, there.join(' and '), 'there as planned'),
    deleted === 0 ? undefined : isOrAre(deleted, `${deleted} deleted`, 'gone'),
    released === 0 ? undefined : isOrAre(released, `${released} released`, 'no longer owned'),
  ]);
}

/** A note names them. */
function stays(inDoubt: number): readonly string[] {
  if (inDoubt === 0) return [];
  return [
    inDoubt === 1
      ? '1 value that is not declared any more stays'
      : `${inDoubt} values that are not declared any more stay`,
  ];
}

function isOrAre(count: number, which: string, what: string): string {
  return count === 1 ? `${which} resource is ${what}` : `${which} resources are ${what}`;
}

function listed(what: string, ids: readonly string[]): Node | undefined {
  return ids.length === 0 ? undefined : line(what, { name: firstOf(ids, mostDifferences) }, '.');
}

/** More resources are only counted: gantry status shows all. */
const mostShown = 10;

/** The addresses of written or awaited resources: the first one represents all of a resource. */
function addresses({ changes = [] }: Result): readonly Node[] {
  const answering = changes.flatMap(({ id, outcome, endpoints: [first, ...others] = [] }) => {
    if (first === undefined || (outcome !== 'done' && outcome !== 'ready')) return [];
    return [{ id, text: `${first}${others.length === 0 ? '' : ` and ${others.length} more`}` }];
  });
  if (answering.length === 0) return [];
  const more = answering.length - mostShown;
  return [
    {
      node: 'group',
      title: [strong('Addresses:')],
      children: () => [
        { node: 'pairs', rows: answering.slice(0, mostShown) },
        ...(more > 0 ? [faintLine(`and ${more} more: gantry status shows them`)] : []),
      ],
    },
  ];
}

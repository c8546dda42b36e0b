import type { ApplyResult, ChangeRun, Unfinished } from '../../apply/report/events.ts';
import { outcomeOf, tallied } from '../../apply/report/outcome.ts';
import type { SettledRace } from '../../apply/report/races.ts';
import { counted } from '../../base/text/counted.ts';
import { firstLines, firstOf } from '../../base/text/firstOf.ts';
import { ToolError } from '../../base/toolError.ts';
import { countActions } from '../../change/words.ts';
import { unknownWriter } from '../../manifest/live/writer.ts';
import type { Plan } from '../../plan/model/plan.ts';
import { renderToolError } from '../../terminal/answer/errorText.ts';
import type { Palette } from '../../terminal/palette.ts';
import { printable } from '../../terminal/printable.ts';
import { padText, textWidth } from '../../terminal/textWidth.ts';
import { seconds } from './progress.ts';

/**
 * The summary of a run: what is gone, failures with what to do, then one line of counts, then what verification found.
 */
export function renderResult(plan: Plan, result: ApplyResult, elapsedMs: number, palette: Palette): string {
  const actions = new Map(plan.changes.map(({ id, action }) => [id, action]));
  const { deleted, unfinished, failed, skipped } = tallied(result);
  const { ready = [], changes = [] } = result;
  const already = changes.filter((change) => change.already === true);
  const unchanged = changes.filter((change) => change.unchanged === true);
  const unwritten = new Set([...already, ...unchanged].map(({ id }) => id));
  const done = countActions(
    result.done.filter((id) => !unwritten.has(id)).map((id) => actions.get(id) ?? 'keep'),
    'done',
  );
  const late = outcomeOf(result) === 'not-ready';
  const nothing = deleted.length + unfinished.length + unwritten.size === 0;
  const counts = [
    ...(deleted.length === 0 ? [] : [palette.refuse(`${deleted.length} deleted, not created again`)]),
    ...(done === '' ? (nothing && ready.length === 0 && !late ? ['nothing done'] : []) : [done]),
    ...(already.length === 0 ? [] : [`${already.length} done by another run already`]),
    ...(unchanged.length === 0 ? [] : [`${unchanged.length} unchanged`]),
    ...(ready.length === 0 ? [] : [`${ready.length} unchanged and ready`]),
    ...(unfinished.length === 0
      ? []
      : [palette.refuse(`${unfinished.length} written but not ${late ? 'ready' : 'finished'}`)]),
    ...(failed.length === 0 ? [] : [palette.refuse(`${failed.length} ${late ? 'unchanged and not ready' : 'failed'}`)]),
    ...(skipped.length === 0 ? [] : [`${skipped.length} skipped`]),
  ].join(', ');
  const lost = new Map((result.races ?? []).filter(isLost).map((race) => [race.id, race]));
  const isRaced = ({ id, error }: Failure): boolean => error.code === 'plan.stale' && lost.has(id);
  const raced = result.failed.filter(isRaced);
  const failures = [
    ...result.failed.filter((failure) => !isRaced(failure)).map((failure) => renderFailure(failure, palette)),
    ...renderRaced(raced, lost, palette),
  ];
  const reported = new Set(raced.map(({ id }) => id));
  const head =
    outcomeOf(result) === 'done' ? palette.add('Done:') : palette.refuse(late ? 'Not ready:' : 'Not finished:');
  return [
    ...(deleted.length === 0 ? [] : [goneText(deleted, palette), '']),
    ...failures,
    `${head} ${counts}. ${counted(result.requests, 'request')} in ${seconds(elapsedMs)}.`,
    ...(result.interrupted
      ? ['Interrupted: what was in flight is finished; run the same command again to go on.']
      : []),
    ...(result.races ?? [])
      .filter(({ id }) => !reported.has(id))
      .map((race) => printable(`Meanwhile ${raceText(race, race.id)}.`)),
    ...(result.notes ?? []).map((note) => palette.faint(`Note: ${printable(note)}.`)),
    ...verification(result, palette),
    ...renderAddresses(changes, palette),
  ].join('\n');
}

type Failure = ApplyResult['failed'][number];

/** Stands first: what these resources served is not there. */
function goneText(deleted: readonly Unfinished[], palette: Palette): string {
  const ids = deleted.map(({ id }) => printable(id)).sort();
  return [
    palette.refuse(`Deleted, not created again: ${ids.join(', ')}.`),
    '  hint: Apply again now. It creates them with what others had written to them.',
  ].join('\n');
}

function renderFailure({ id, error }: Failure, palette: Palette): string {
  return `${palette.strong(printable(id))}\n${renderToolError(error, palette)}\n`;
}

function isLost({ outcome }: SettledRace): boolean {
  return outcome === 'stale';
}

/** The writes of somebody else that came first: they say more than the error, and the next step is the same for all. */
function renderRaced(
  failed: readonly Failure[],
  races: ReadonlyMap<string, SettledRace>,
  palette: Palette,
): readonly string[] {
  const hint = failed.at(-1)?.error.hint;
  return failed.map(({ id, error: { code } }, index) => {
    const race = races.get(id);
    const message = race === undefined ? '' : `meanwhile ${raceText(race, 'it')}`;
    const last = index === failed.length - 1;
    const shown = new ToolError({ code, message, ...(last && hint !== undefined ? { hint } : {}) });
    return `${palette.strong(printable(id))}\n${renderToolError(shown, palette)}\n`;
  });
}

/** Who wrote a record meanwhile, what of it is still there, and what of ours is not. */
function raceText({ outcome, from, to, theirs, notWritten, by }: SettledRace, named: string): string {
  const what = to === undefined ? 'deleted' : from === 0 ? 'created' : 'wrote';
  const versions = to === undefined || from === 0 ? '' : ` (version ${from} to ${to})`;
  // A platform may change tags of its own with each write.
  const isOfTags = theirs.length > 0 && theirs.every((path) => path.startsWith('tags.'));
  const unknown = isOfTags ? 'the platform or somebody else' : 'an unknown writer';
  const who = by.map((name) => (name === unknownWriter ? unknown : name)).join(' and ');
  const remaining = theirs.length === 0 ? '' : `; their change is still live in ${theirs.join(', ')}`;
  const missing =
    notWritten.length === 0 ? '; this run changed nothing' : `; this run did not write ${notWritten.join(', ')}`;
  const ours = outcome === 'written' ? '; the change of this run was written' : missing;
  return `${who} ${what} ${named}${versions}${remaining}${ours}`;
}

/** Claims what was compared, and no more: a run of which a part failed or was skipped is not verified. */
function verifiedText({ compared, failed, skipped, inDoubt = 0 }: ApplyResult): readonly string[] {
  if (compared === undefined) return ['Nothing was written.'];
  const { written, unchanged, deleted, released, rewritten, notCompared } = compared;
  const there = [
    ...(written === 0 ? [] : [`${written} written`]),
    ...(unchanged === 0 ? [] : [`${unchanged} unchanged`]),
  ];
  const found = [
    ...(there.length === 0 ? [] : [isOrAre(written + unchanged, there.join(' and '), 'there as planned')]),
    ...(deleted === 0 ? [] : [isOrAre(deleted, `${deleted} deleted`, 'gone')]),
    ...(released === 0 ? [] : [isOrAre(released, `${released} released`, 'no longer owned')]),
  ];
  return [
    `${failed.length + skipped.length === 0 ? 'Verified' : 'What was done was compared'}: ${[...found, ...stays(inDoubt)].join('; ')}.`,
    ...(rewritten.length === 0
      ? []
      : [`  Written by somebody else since, and still as declared: ${listed(rewritten)}.`]),
    ...(notCompared.length === 0
      ? []
      : [`  At a newer version than in the saved plan, and not compared: ${listed(notCompared)}.`]),
  ];
}

/** A note says which. */
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

function listed(ids: readonly string[]): string {
  return firstOf(ids.map(printable), mostDifferences);
}

/** More differences than these are counted only. */
const mostDifferences = 10;

function verification(result: ApplyResult, palette: Palette): readonly string[] {
  const { verified, differences = [], inDoubt = 0 } = result;
  if (verified === undefined) return [palette.faint('Not verified.')];
  if (verified && result.verification === 'full') {
    return [`Verified: ${['a new plan of everything is empty', ...stays(inDoubt)].join('; ')}.`];
  }
  if (verified) return verifiedText(result);
  return [
    palette.refuse('Verification failed: the live state differs from the plan, or could not be read. Plan again.'),
    ...firstLines(differences.map(printable), mostDifferences).map((line) => `  ${line}`),
  ];
}

/** More resources than these are counted only: gantry status shows all. */
const mostShown = 10;
const usualColumns = 80;

/** Where what was written, or waited for, answers: a line for each resource. */
function renderAddresses(changes: readonly ChangeRun[], palette: Palette): readonly string[] {
  const answering = changes.filter(({ outcome }) => outcome === 'done' || outcome === 'ready').flatMap(withAddress);
  if (answering.length === 0) return [];
  const shown = answering.slice(0, mostShown);
  const width = Math.max(...shown.map(({ id }) => textWidth(id)));
  const isWide = shown.some(({ address }) => width + textWidth(address) + '    '.length > usualColumns);
  const lines = shown.flatMap(({ id, address }) =>
    isWide ? [`  ${id}`, `      ${address}`] : [`  ${padText(id, width)}  ${address}`],
  );
  const more = answering.length - shown.length;
  return [
    palette.strong('Addresses:'),
    ...lines,
    ...(more === 0 ? [] : [palette.faint(`  and ${more} more: gantry status shows them`)]),
  ];
}

/** The first address stands for all of a resource. */
function withAddress({ id, endpoints = [] }: ChangeRun): readonly { readonly id: string; readonly address: string }[] {
  const [first, ...others] = endpoints;
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return [{ id: printable(id), address: `${printable(first)}${more}` }];
}

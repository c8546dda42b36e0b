import { driftToJson, summariseDrift } from '../../../change/documents/driftToJson.ts';
import {
  type Drift,
  type DriftRecord,
  type DriftState,
  type DriftWrite,
  driftStates,
  hasDrift,
  isDrifted,
} from '../../../change/drift/drift.ts';
import { driftWords } from '../../../change/words.ts';
import { namedStacks, type OwnedStack } from '../../../gantry/loading/namedStack.ts';
import { readDrift } from '../../../gantry/reading/readDrift.ts';
import type { FieldChange } from '../../../plan/model/fieldChange.ts';
import { openPlatform, type Platform } from '../../../project/platform/platform.ts';
import { phase } from '../../../project/session/tracing.ts';
import { lineDiff } from '../../../report/model/lineDiff.ts';
import type { Ending } from '../../../terminal/answer/ending.ts';
import { show } from '../../../terminal/answer/show.ts';
import type { CommandContext } from '../../../terminal/line/context.ts';
import type { AllOption, GlobalOptions, NotifyOptions } from '../../../terminal/line/options.ts';
import type { Palette } from '../../../terminal/palette.ts';
import { printable } from '../../../terminal/printable.ts';
import { exitCode } from '../../../terminal/process/exitCode.ts';
import { textWidth } from '../../../terminal/textWidth.ts';
import { eachStack } from '../../line/eachStack.ts';
import { observed } from '../../notifying/observed.ts';
import { renderField } from '../../planText/fieldText.ts';

export interface DriftOptions extends GlobalOptions, NotifyOptions, AllOption {
  readonly detailedExitcode: boolean;
}

type DriftCommandContext = CommandContext<DriftOptions>;

/** What others changed since a stack last wrote it, whether or not the code changed. Nothing is written. */
export function runDrift(context: DriftCommandContext, paths: readonly string[]): Promise<Ending> {
  return observed(context, 'drift', (each) => showDrift(each, paths));
}

async function showDrift(context: DriftCommandContext, paths: readonly string[]): Promise<Ending> {
  const { all } = context.options;
  const { stacks, settings } = await phase(context, 'load', () => namedStacks(context, paths, { all }));
  const platform = await openPlatform(context, settings);
  try {
    return await eachStack(stacks, context, false, (stack, each) => driftOf(stack, platform, each));
  } finally {
    await platform.close();
  }
}

async function driftOf(stack: OwnedStack, platform: Platform, context: DriftCommandContext): Promise<Ending> {
  const { options, terminal } = context;
  const drift = await phase(context, 'read', () => readDrift(platform, stack));
  const drifted = drift.records.filter(isDrifted).length;
  context.onStack?.({ org: drift.org, stack: drift.stack, drifted });
  await show(context, { text: () => renderDrift(drift, terminal.palette), document: () => driftToJson(drift) });
  return options.detailedExitcode && hasDrift(drift) ? exitCode.changes : exitCode.ok;
}

const indent = '      ';
const widestPath = 56;

/** The drift for people: what moved, with every write since, and apart what no apply undoes; the rest is counted. */
export function renderDrift(drift: Drift, palette: Palette): string {
  const { stack, org, records, requests, declarationsKnown } = drift;
  const moved = records.filter(isDrifted);
  const apart = records.filter((record) => record.state === 'left-alone' && !isDrifted(record));
  const counts = summariseDrift(records);
  const summary = [
    ...driftStates.filter((state) => counts[state] > 0).map((state) => `${counts[state]} ${driftWords[state].counted}`),
    ...(counts.orphaned === 0 ? [] : [`${counts.orphaned} orphaned`]),
  ].join(', ');
  const sent = `Requests: ${requests}.`;
  const blocks: readonly (readonly string[])[] = [
    [`${palette.strong('Stack')} ${printable(stack)} ${palette.faint(`in org ${printable(org)}`)}`],
    ...moved.map((record) => renderRecord(record, palette)),
    ...(apart.length === 0 ? [] : [[`${palette.strong('Left alone')}: others changed this, and no apply undoes it`]]),
    ...apart.map((record) => renderRecord(record, palette)),
    ...(declarationsKnown
      ? []
      : [[palette.faint('No manifests were read, so orphaned and deleted resources cannot be detected.')]]),
    [
      hasDrift(drift)
        ? `${palette.strong('Drift:')} ${summary}. ${sent}`
        : `${palette.strong('No drift')}${summary === '' ? '' : `: ${summary}`}. ${sent}`,
    ],
  ];
  return blocks.map((lines) => lines.join('\n')).join('\n\n');
}

function renderRecord(record: DriftRecord, palette: Palette): readonly string[] {
  const { id, state, part, orphaned, owner, writes, fields, leftAlone = [], secretsUnknown } = record;
  const { sign, words: short, thus = '', tone } = driftWords[state];
  const words = `${short}${thus}`;
  const shown = sign === ' ' && orphaned ? '-' : sign;
  const todo = toDo(record);
  const name = `${palette.strong(printable(id))}${palette.faint(versions(record))}`;
  return [
    `  ${palette[tone](shown)} ${name}${part ? ', a part of it' : ''}`,
    `${indent}${owner === undefined ? words : `${words}: ${printable(owner)}`}`,
    ...(orphaned ? [`${indent}orphaned: owned by this stack but no longer declared`] : []),
    ...(todo === undefined ? [] : [`${indent}${palette.faint(`to do: ${todo}`)}`]),
    ...since(fields, record, palette),
    ...(state === 'left-alone' || leftAlone.length === 0
      ? []
      : [`${indent}left alone, as no apply changes it:`, ...renderFields(leftAlone, palette, `${indent}  `)]),
    ...(secretsUnknown
      ? [`${indent}${palette.faint('the audit trail contains no secrets, so changed values cannot be detected')}`]
      : []),
    ...(writes === null
      ? [`${indent}${palette.faint('writer unknown: the audit trail cannot be read')}`]
      : writes.flatMap((write) => renderWrite(write, palette))),
  ];
}

/** What can be done where the next plan does not settle it by itself, or deletes. */
function toDo({ state, orphaned, part }: DriftRecord): string | undefined {
  if (state === 'copy') return 'declare it and plan with --adopt, delete it by hand, or remove its gantry/ tags';
  if (state === 'unrecorded') {
    return orphaned
      ? 'declare it again, or delete it by hand: apply does not delete it'
      : 'apply, which restores the tag gantry/applied if the resource is declared';
  }
  if (state === 'hidden') return 'use a token that may view it';
  if (!orphaned) return undefined;
  if (part) return 'declare the part again, or apply, which removes its items';
  return 'declare it again, or apply, which deletes it (or forgets it, if it had lifecycle.retain)';
}

function versions({ version, recordedVersion }: DriftRecord): string {
  if (version === undefined) return '';
  if (recordedVersion === undefined || recordedVersion === version) return ` (version ${version})`;
  return ` (version ${version}, this stack wrote ${recordedVersion})`;
}

/** What is different now. Of a single write that says it all, the fields stand there. */
function since(
  fields: readonly FieldChange[] | null,
  { state, writes, leftAlone = [], secretsUnknown }: DriftRecord,
  palette: Palette,
): readonly string[] {
  if (state === 'left-alone') {
    return writes?.length === 1 || leftAlone.length === 0
      ? []
      : [`${indent}different now:`, ...renderFields(leftAlone, palette, `${indent}  `)];
  }
  if (state === 'deleted' || state === 'unfinished' || state === 'hidden' || state === 'untouched') return [];
  if (fields === null) return [`${indent}${palette.faint(unknownFields(state))}`];
  if (fields.length === 0)
    return [`${indent}${secretsUnknown ? 'nothing that can be seen' : 'nothing'} is different now`];
  if (writes?.length === 1) return [];
  return [`${indent}different now:`, ...renderFields(fields, palette, `${indent}  `)];
}

/** Without a record of its last write nobody knows from where to count. */
function unknownFields(state: DriftState): string {
  return state === 'unrecorded' || state === 'copy' || state === 'recreated'
    ? 'what changed is unknown: no record says what this stack wrote to it'
    : 'what changed is unknown: the audit trail does not reach back to the last write of this stack';
}

function renderWrite({ action, version, at, by, fields }: DriftWrite, palette: Palette): readonly string[] {
  const what = action === 'edit' ? 'changed' : action === 'create' ? 'created' : 'deleted';
  const writer = `${palette.strong(printable(by.name))} (${printable(by.type)})`;
  return [
    `${indent}version ${version}: ${what} by ${writer} at ${printable(at)}`,
    ...renderFields(fields, palette, `${indent}  `),
  ];
}

function renderFields(fields: readonly FieldChange[], palette: Palette, margin: string): readonly string[] {
  const width = Math.min(widestPath, Math.max(0, ...fields.map(({ path }) => textWidth(path))));
  return fields
    .flatMap((field) => renderField(field, width, { palette, lineDiff, width: Number.POSITIVE_INFINITY }))
    .map((line) => `${margin}${line}`);
}

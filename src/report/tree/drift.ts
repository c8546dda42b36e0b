import { compact } from '../../base/json/present.ts';
import type { DriftDocument } from '../../change/documents/driftDocument.ts';
import { type DriftState, driftStates, isDrifted } from '../../change/drift.ts';
import { driftWords } from '../../change/words.ts';
import { accessNode } from './change.ts';
import {
  faintLine,
  fieldsNode,
  type Group,
  type Line,
  line,
  type Node,
  type Section,
  stackTitle,
  strong,
} from './tree.ts';

type Resource = DriftDocument['resources'][number];
type Write = NonNullable<Resource['writes']>[number];

/** Changed fields with every write since, separately those that no apply reverts; the rest is counted. */
export function driftTree({
  stack,
  org,
  resources,
  requests,
  declarationsKnown,
  drifted,
  summary,
}: DriftDocument): Section {
  const apart = resources.filter((resource) => resource.state === 'left-alone' && !isDrifted(resource));
  const counts = compact([
    ...driftStates
      .filter((state) => summary[state] > 0)
      .map((state) => `${summary[state]} ${driftWords[state].counted}`),
    summary.orphaned === 0 ? undefined : `${summary.orphaned} orphaned`,
  ]).join(', ');
  const head = drifted ? 'Drift:' : 'No drift';
  const colon = counts === '' ? '' : drifted ? ' ' : ': ';
  return {
    title: stackTitle(stack, org),
    summary: [strong(head), `${colon}${counts}. Requests: ${requests}.`],
    children: () =>
      compact([
        ...resources.filter(isDrifted).map(resourceItem),
        apart.length === 0 ? undefined : line(strong('Left alone'), ': others changed this, and no apply undoes it'),
        ...apart.map(resourceItem),
        declarationsKnown
          ? undefined
          : faintLine('No manifests were read, so orphaned and deleted resources cannot be detected.'),
      ]),
  };
}

function resourceItem(resource: Resource): Node {
  const { id, state, part, orphaned, owner, writes, leftAlone = [], access, secretsUnknown } = resource;
  const { sign, tone, words, thus = '', counted } = driftWords[state];
  return {
    ...{ node: 'item', id, tone, as: counted, weight: isDrifted(resource) ? 1 : 0 },
    sign: sign === ' ' && orphaned ? '-' : sign,
    aside: [{ text: versions(resource), tone: 'faint' }, part === true ? ', a part of it' : ''],
    words: [`${words}${thus}`, ...(owner === undefined ? [] : [': ', { name: owner }])],
    children: () =>
      compact([
        orphaned ? line('orphaned: owned by this stack but no longer declared') : undefined,
        toDo(resource),
        since(resource),
        state === 'left-alone' ? undefined : fieldsGroup(['left alone, as no apply changes it:'], leftAlone),
        accessNode(access),
        secretsUnknown === true
          ? faintLine('the audit trail contains no secrets, so changed values cannot be detected')
          : undefined,
        ...(writes === null ? [faintLine('writer unknown: the audit trail cannot be read')] : writes.map(writeGroup)),
      ]),
  };
}

function versions({ version, recordedVersion }: Resource): string {
  if (version === undefined) return '';
  if (recordedVersion === undefined || recordedVersion === version) return ` (version ${version})`;
  return ` (version ${version}, this stack wrote ${recordedVersion})`;
}

/** Next steps if the next plan does not resolve it, or deletes the resource. */
function toDo({ state, orphaned, part }: Resource): Node | undefined {
  const what = advice(state, orphaned, part === true);
  return what === undefined ? undefined : faintLine(`to do: ${what}`);
}

function advice(state: DriftState, orphaned: boolean, part: boolean): string | undefined {
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

/** The current differences. For a single write that explains them, its fields are shown instead. */
function since({ state, writes, fields, leftAlone = [], secretsUnknown }: Resource): Node | undefined {
  if (state === 'left-alone') return writes?.length === 1 ? undefined : fieldsGroup(['different now:'], leftAlone);
  if (state === 'deleted' || state === 'unfinished' || state === 'hidden' || state === 'untouched') return undefined;
  if (fields === null) return faintLine(`what changed is unknown: ${whyUnknown(state, writes)}`);
  if (fields.length === 0)
    return line(`${secretsUnknown === true ? 'nothing that can be seen' : 'nothing'} is different now`);
  return writes?.length === 1 ? undefined : fieldsGroup(['different now:'], fields);
}

/** Without a record of the last write, the start of the changes is unknown. */
function whyUnknown(state: DriftState, writes: Resource['writes']): string {
  if (state === 'unrecorded' || state === 'copy' || state === 'recreated') {
    return 'no record says what this stack wrote to it';
  }
  const lack = writes === null ? 'cannot be read' : 'does not reach back to the last write of this stack';
  return `the audit trail ${lack}`;
}

function writeGroup({ action, version, at, by, fields }: Write): Group {
  const what = action === 'edit' ? 'changed' : action === 'create' ? 'created' : 'deleted';
  const title: Line = [
    `version ${version}: ${what} by `,
    { name: by.name, tone: 'strong' },
    ' (',
    { name: by.type },
    ') at ',
    { name: at },
  ];
  return { node: 'group', title, children: () => compact([fieldsNode(fields)]) };
}

function fieldsGroup(title: Line, fields: Resource['fields']): Group | undefined {
  if (fields === null || fields.length === 0) return undefined;
  return { node: 'group', title, children: () => compact([fieldsNode(fields)]) };
}

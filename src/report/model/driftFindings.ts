import { firstOf } from '../../base/text/firstOf.ts';
import type { DriftDocument } from '../../change/documents/driftDocument.ts';
import { type DriftState, isDrifted } from '../../change/drift/drift.ts';
import type { Finding } from './finding.ts';

export type DriftedResource = DriftDocument['resources'][number];

/** What is said of each state. A state without an entry does not compile. */
export const driftWords: Readonly<Record<DriftState, string>> = {
  untouched: 'unchanged since this stack last wrote it',
  touched: 'written by others',
  'left-alone': 'written by others, where apply changes nothing',
  risen: 'as declared, at a newer version than this stack wrote',
  recreated: 'deleted and created again by others',
  unrecorded: 'has the tag gantry/stack but not gantry/applied',
  copy: 'a copy of another resource, with its tags',
  'owner-lost': 'the tag gantry/stack was removed',
  'other-owner': 'now owned by another stack',
  unfinished: 'deleted by an unfinished replacement of this stack',
  deleted: 'deleted by others',
  hidden: 'this token cannot view it, so its state is not known',
};

export function driftFindings({ resources, stack }: DriftDocument): readonly Finding[] {
  return resources.filter(isDrifted).map((resource) => {
    const { id, state, orphaned } = resource;
    const code = state === 'untouched' && orphaned ? 'drift.orphaned' : `drift.${state}`;
    return { what: 'drift', code, severity: 'error', message: driftSentence(resource), resource: id, stack };
  });
}

/** `written by others: ana@example.com (version 7): spec.containers.main.cpu; orphaned`. */
function driftSentence({ state, orphaned, owner, writes, fields }: DriftedResource): string {
  const writers = [...new Set((writes ?? []).map(({ by, version }) => `${by.name} (version ${version})`))];
  const paths = (fields ?? []).map(({ path }) => path);
  return [
    `${driftWords[state]}${owner === undefined ? '' : ` (${owner})`}`,
    ...(writers.length === 0 ? [] : [firstOf(writers, mostNamed)]),
    ...(paths.length === 0 ? [] : [firstOf(paths, mostNamed)]),
    ...(orphaned ? ['no longer declared by this stack'] : []),
  ].join(': ');
}

const mostNamed = 5;

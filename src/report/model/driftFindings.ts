import { firstOf } from '../../base/text/firstOf.ts';
import type { DriftDocument } from '../../change/documents/driftDocument.ts';
import { isDrifted } from '../../change/drift/drift.ts';
import { driftWords } from '../../change/words.ts';
import type { Finding } from './finding.ts';

type DriftedResource = DriftDocument['resources'][number];

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
    `${driftWords[state].words}${owner === undefined ? '' : ` (${owner})`}`,
    ...(writers.length === 0 ? [] : [firstOf(writers, mostNamed)]),
    ...(paths.length === 0 ? [] : [firstOf(paths, mostNamed)]),
    ...(orphaned ? ['no longer declared by this stack'] : []),
  ].join(': ');
}

const mostNamed = 5;

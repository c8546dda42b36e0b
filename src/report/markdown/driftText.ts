import { type DriftedResource, driftWords } from '../findings/driftFindings.ts';
import { diffLines, fieldDiff } from './fieldDiff.ts';
import type { Foldable } from './fold.ts';
import { code, details, fenced, htmlCode } from './inline.ts';

const mostWriters = 5;

/** A resource that drifted: in one line, and with its fields and everybody who wrote it. */
export function driftLevels({ id, state, orphaned, owner, writes, fields }: DriftedResource): Foldable {
  const what = `${driftWords[state]}${orphaned ? ', and no longer declared' : ''}`;
  const writers = (writes ?? []).map(({ action, by, at, version }) => {
    return `- version ${version}: ${action} by ${code(by.name)} (${code(by.type)}) at ${code(at)}`;
  });
  const lines = diffLines((fields ?? []).flatMap((field) => fieldDiff(field)));
  const body = [
    ...(owner === undefined ? [] : [`- owner: ${code(owner)}`]),
    ...writers.slice(0, mostWriters),
    ...(writers.length > mostWriters ? [`- and ${writers.length - mostWriters} more writes`] : []),
    ...(writes === null ? ['- who wrote it is not known: the audit trail cannot be read'] : []),
  ].join('\n');
  const blocks = [body, lines.length === 0 ? '' : fenced('diff', lines)].filter((block) => block !== '');
  const line = `- ${code(id)}: ${what}`;
  return ['', line, ...(blocks.length === 0 ? [] : [details(`${htmlCode(id)} ${what}`, blocks.join('\n\n'))])];
}

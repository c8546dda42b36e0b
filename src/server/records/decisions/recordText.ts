import { type JsonObject, stringAt } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { isAnswered, runs } from '../../../kinds/kindFacts.ts';
import { isGvcScoped } from '../../../schema/record/kinds.ts';
import { linkOf } from '../../../schema/record/ref.ts';
import { type Row, refOfRow } from '../../store/model/row.ts';

/**
 * A record as clients see it, as JSON text: the envelope (platform/concepts.record), the platform-owned top-level
 * fields in `shown`, such as `status` and `alias`, and the client's stored fields.
 */
export function recordText(row: Row, org: string, shown: JsonObject): string {
  const head = JSON.stringify({ ...envelope(row, org), ...shown });
  const rest = row.recordText.slice(1);
  return rest === '}' ? head : `${head.slice(0, -1)},${rest}`;
}

/** The fields that every record has; tasks have no version (platform/task). */
export function envelope(row: Row, org: string): JsonObject {
  return {
    kind: row.kind,
    id: row.uid,
    ...present({ version: isAnswered(row.kind) ? undefined : row.version }),
    created: new Date(row.createdMs).toISOString(),
    // The clocks of servers differ, and a clock may be set back.
    lastModified: new Date(Math.max(row.modifiedMs, row.createdMs)).toISOString(),
    links: linksOf(row, org),
  };
}

function linksOf(row: Row, org: string): readonly JsonObject[] {
  const self = linkOf(refOfRow(row), org);
  const links: JsonObject[] = [
    { rel: 'self', href: self },
    { rel: 'org', href: `/org/${org}` },
  ];
  if (isGvcScoped(row.kind)) links.push({ rel: 'gvc', href: `/org/${org}/gvc/${row.gvc}` });
  if (row.kind === 'location') links.push(...helperLinks(row.record, self));
  if (runs(row.kind)) links.push({ rel: 'deployment', href: `${self}/deployment` });
  return links;
}

/** Whether the location is self-hosted; clients can create no other (platform/location). */
export function isOwnLocation(record: JsonObject): boolean {
  return stringAt(record, 'provider') === 'byok';
}

export const helpers = ['install', 'uninstall'] as const;
export type Helper = (typeof helpers)[number];

/** The links of a self-hosted location to its setup and removal (platform/concepts.links). */
function helperLinks(record: JsonObject, self: string): readonly JsonObject[] {
  return isOwnLocation(record) ? helpers.map((rel) => ({ rel, href: `${self}/-${rel}` })) : [];
}

/** A shell script that only prints the action, because nothing really runs here. */
export function helperScript(helper: Helper, link: string): string {
  const action = helper === 'install' ? 'installed in' : 'removed from';
  return `#!/bin/sh\n# Of the location ${link}\necho 'This platform is simulated: nothing is ${action} your cluster.'\n`;
}

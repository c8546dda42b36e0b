import { type JsonObject, numberAt, stringAt } from '../base/json/json.ts';
import { ToolError } from '../base/toolError.ts';
import { gvcOf } from '../client/liveResource.ts';
import type { LiveResource } from '../manifest/live/snapshot.ts';
import { isDeclarable, isGvcScoped } from '../schema/record/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../schema/record/ref.ts';
import type { InProcessPlatform } from '../server/inProcess.ts';
import { refOfRow } from '../server/store/model/row.ts';
import { type DumpRow, rowOfLive } from './liveRow.ts';

/**
 * Adds records to a platform, unchanged and unchecked. Each has `kind` and `name`; one in a GVC has `gvc`, or the link
 * that the platform shows. Errors: `automation.records`.
 */
export async function loadRecords(
  platform: InProcessPlatform,
  records: readonly JsonObject[],
  org: string,
): Promise<void> {
  const { [org]: held, ...others } = await platform.dump();
  if (held === undefined) throw new Error(`the platform has no org ${org}`);
  const rows = new Map<ResourceId, DumpRow>(held.records.map((row) => [formatRef(refOfRow(row)), row]));
  for (const record of records) {
    const live = liveOf(record);
    rows.set(live.id, rowOfLive(live, org));
  }
  await platform.load({ ...others, [org]: { ...held, records: [...rows.values()] } });
}

function liveOf(given: JsonObject): LiveResource {
  const { gvc, ...record } = given;
  const ref = refIn(record, typeof gvc === 'string' ? gvc : gvcOf(record));
  const id = formatRef(ref);
  return { ref, id, uid: stringAt(record, 'id') ?? `given ${id}`, version: numberAt(record, 'version') ?? 1, record };
}

function refIn(record: JsonObject, gvc: string | undefined): Ref {
  const [kind, name] = [stringAt(record, 'kind') ?? '', stringAt(record, 'name') ?? ''];
  if (isDeclarable(kind) && name !== '') {
    if (!isGvcScoped(kind)) return { kind, name };
    if (gvc !== undefined) return { kind, gvc, name };
  }
  throw new ToolError({
    code: 'automation.records',
    message: `this is not a valid record: ${JSON.stringify({ kind, name, gvc })}`,
    hint: 'Give its kind and name, and its gvc if the kind is in a GVC.',
  });
}

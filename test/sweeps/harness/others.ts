import { isObject, type JsonObject, objectAt, own } from '../../../src/base/json/json.ts';
import { parseManifestText } from '../../../src/manifest/parseManifestText.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import { successionsIn } from '../../../src/plan/order/applyRequests.ts';
import type { Platform } from '../../e2e/harness/platform.ts';
import { isDebugged, pathOf } from './otherWriter.ts';
import { foreignPrefix, heldIn } from './state.ts';

/**
 * The writes of others, before a plan runs, to records that it replaces: a tag, a value that is set only once
 * (`lifecycle.ignore`), and on workloads the switch of operators. A replacement must carry all of them over.
 */
export interface Theirs {
  /** The id before, by the id that the record must have afterwards. */
  readonly records: ReadonlyMap<string, string>;
}

const tag = `${foreignPrefix}before`;
const description = 'set by others';

/** The records that a plan replaces, also under another name. */
export function replacedBy({ changes }: Plan): Theirs {
  return { records: new Map([...successionsIn(changes)].map(([before, after]) => [after, before])) };
}

export async function writeTheirs(platform: Platform, { records }: Theirs): Promise<void> {
  for (const id of records.values()) {
    const switched = id.startsWith('workload/') ? { spec: { defaultOptions: { debug: true } } } : {};
    const { status, body } = await platform.call('PATCH', pathOf({ id }), {
      tags: { [tag]: 'theirs' },
      description,
      ...switched,
    });
    if (status !== 200) throw new Error(`others cannot write ${id}: ${JSON.stringify(body)}`);
  }
}

/** The lost writes; a deleted record counts as one. */
export function lostOfTheirs(state: JsonObject, { records }: Theirs): readonly string[] {
  const now = new Map(heldIn(state).map((held) => [held.id, held]));
  return [...records.keys()].flatMap((id) => {
    const held = now.get(id);
    if (held === undefined) return [`${id} is gone`];
    return [
      ...(own(objectAt(held.record, 'tags'), tag) === 'theirs' ? [] : [`${id}: the tag of others`]),
      ...(own(held.record, 'description') === description ? [] : [`${id}: the ignored description`]),
      ...(!id.startsWith('workload/') || isDebugged(held) ? [] : [`${id}: the switch of operators`]),
    ];
  });
}

/** The records that do not exist, neither in the old nor in the new form. */
export function goneOfTheirs(state: JsonObject, { records }: Theirs): readonly string[] {
  const now = new Set(heldIn(state).map(({ id }) => id));
  return [...records].filter(([after, before]) => !now.has(after) && !now.has(before)).map(([after]) => after);
}

/** The same manifests, except that these resources leave their description to others. */
export function ignoringDescription(manifests: string, { records }: Theirs): string {
  const { documents } = parseManifestText({ text: manifests, file: 'stack.yaml', format: 'yaml' });
  return documents
    .flatMap(({ value }) => (isObject(value) ? [value] : []))
    .map((manifest) => JSON.stringify(records.has(idOf(manifest)) ? ignoring(manifest) : manifest))
    .join('\n---\n');
}

function ignoring(manifest: JsonObject): JsonObject {
  const lifecycle = objectAt(manifest, 'lifecycle');
  const before = own(lifecycle, 'ignore');
  const ignore = [...(Array.isArray(before) ? before : []), 'description'];
  return { ...manifest, lifecycle: { ...lifecycle, ignore } };
}

function idOf(manifest: JsonObject): string {
  return [manifest['kind'], manifest['gvc'], manifest['name']].filter((part) => part !== undefined).join('/');
}

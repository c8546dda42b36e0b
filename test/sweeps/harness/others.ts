import { isObject, type JsonObject, objectAt, own } from '../../../src/base/json/json.ts';
import { parseManifestText } from '../../../src/manifest/parseManifestText.ts';
import type { Plan } from '../../../src/plan/model/plan.ts';
import { successionsIn } from '../../../src/plan/order/applyRequests.ts';
import type { Platform } from '../../e2e/harness/platform.ts';
import { isDebugged, pathOf } from './otherWriter.ts';
import { foreignPrefix, heldIn } from './state.ts';

/**
 * What others have written to what a plan replaces, before it runs: a tag, a value that is set only once
 * (`lifecycle.ignore`), and on workloads the switch of operators. A replacement has to take all of it over.
 */
export interface Theirs {
  /** By the id under which it has to be afterwards: the id before. */
  readonly records: ReadonlyMap<string, string>;
}

const tag = `${foreignPrefix}before`;
const description = 'set by others';

/** What a plan replaces, also under another name. */
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

/** What of it is not there any more; a record that is gone is lost as a whole. */
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

/** Which of them are not there at all, neither as before nor as they are to be. */
export function goneOfTheirs(state: JsonObject, { records }: Theirs): readonly string[] {
  const now = new Set(heldIn(state).map(({ id }) => id));
  return [...records].filter(([after, before]) => !now.has(after) && !now.has(before)).map(([after]) => after);
}

/** The same manifests, in which these resources leave their description to others. */
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

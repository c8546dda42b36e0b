import { isObject, type JsonObject, objectAt, own } from '../../../src/base/json/json.ts';
import type { Platform } from '../../e2e/harness/platform.ts';
import { foreignPrefix, type Held, heldIn } from './state.ts';

const mark = `${foreignPrefix}mark`;

/** The marks of the second writer, by id of the record. */
export interface Left {
  readonly uid: string;
  /** On workloads, also the switch of operators, which no scenario declares. */
  readonly debug: boolean;
}

/**
 * Another client adds a tag to each record of a stack, and sets a field that no manifest declares if the kind has one
 * (the `debug` switch of workloads).
 */
export async function leaveMarks(platform: Platform, state: JsonObject): Promise<ReadonlyMap<string, Left>> {
  const owned = heldIn(state).filter(({ record }) => own(objectAt(record, 'tags'), 'gantry/stack') !== undefined);
  const left = new Map<string, Left>();
  await Promise.all(
    owned.map(async (held) => {
      const debug = held.id.startsWith('workload/');
      const more = debug ? { spec: { defaultOptions: { debug: true } } } : {};
      const { status, body } = await platform.call('PATCH', pathOf(held), { tags: { [mark]: 'left' }, ...more });
      if (status !== 200) throw new Error(`the other writer cannot write ${held.id}: ${JSON.stringify(body)}`);
      left.set(held.id, { uid: held.uid, debug });
    }),
  );
  return left;
}

/** The marks that are lost; empty if every remaining record has its marks. */
export function lostMarks(state: JsonObject, left: ReadonlyMap<string, Left>): readonly string[] {
  const now = new Map(heldIn(state).map((held) => [held.uid, held]));
  return [...left].flatMap(([id, { uid, debug }]) => {
    const held = now.get(uid);
    if (held === undefined) return [];
    const lost = own(objectAt(held.record, 'tags'), mark) !== 'left' ? [`${id}: the tag of another`] : [];
    return debug && !isDebugged(held) ? [...lost, `${id}: the debug switch of another`] : lost;
  });
}

export function isDebugged({ record }: Held): boolean {
  const options = own(objectAt(record, 'spec'), 'defaultOptions');
  return isObject(options) && own(options, 'debug') === true;
}

export function pathOf({ id }: Pick<Held, 'id'>): string {
  const [kind = '', first = '', second] = id.split('/');
  return second === undefined ? `/org/local/${kind}/${first}` : `/org/local/gvc/${first}/${kind}/${second}`;
}

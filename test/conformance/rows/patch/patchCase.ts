import { expect } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/base/json/json.ts';
import { at } from '../../harness/place.ts';
import type { Part } from '../../harness/row.ts';
import type { Wire } from '../../harness/wire.ts';

/** A GVC with this spec is patched. */
interface PatchCase {
  readonly it: string;
  readonly spec: JsonObject;
  readonly patch: JsonObject;
  /** The place in the record, and what must stand there then. */
  readonly place: string;
  readonly value: JsonValue | undefined;
}

/** The place holds the value, in the reply and in the record. */
export function part({ it, spec, patch, place, value }: PatchCase): Part {
  const check = async (wire: Wire): Promise<void> => {
    const name = wire.name('gvc');
    await wire.ok('POST', 'gvc', { name, spec });
    const patched = await wire.ok('PATCH', `gvc/${name}`, patch);
    expect(at(patched, place)).toEqual(value);
    expect(at(await wire.get(`gvc/${name}`), place)).toEqual(value);
  };
  return [it, check];
}

/** The patch is refused, and the record is as it was. */
export function refusedPart(it: string, spec: JsonObject, patch: JsonObject): Part {
  const check = async (wire: Wire): Promise<void> => {
    const name = wire.name('gvc');
    await wire.ok('POST', 'gvc', { name, spec });
    const before = await wire.get(`gvc/${name}`);
    await wire.refused(400, 'PATCH', `gvc/${name}`, patch);
    expect(await wire.get(`gvc/${name}`)).toEqual(before);
  };
  return [it, check];
}

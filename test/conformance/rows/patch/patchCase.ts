import { expect } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/base/json/json.ts';
import { at } from '../../harness/place.ts';
import type { Part } from '../../harness/row.ts';
import type { Wire } from '../../harness/wire.ts';

/** A PATCH of a GVC with this spec. */
interface PatchCase {
  readonly it: string;
  readonly spec: JsonObject;
  readonly patch: JsonObject;
  /** The place in the record, and its value after the PATCH. */
  readonly place: string;
  readonly value: JsonValue | undefined;
}

/** Demands the value at the place, in the reply and in the record. */
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

/** Demands that the patch is refused, and the record unchanged. */
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

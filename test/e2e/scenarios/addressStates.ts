import { isObject, listAt, objectAt, own } from '../../../src/base/json/json.ts';
import type { Reply } from '../harness/platform.ts';

/** The state of each address of an IP set: `bound` or `unbound` (platform/ipset). */
export function addressStates({ body }: Reply): readonly unknown[] {
  return listAt(objectAt(body, 'status'), 'ipAddresses').map((address) =>
    isObject(address) ? own(address, 'state') : undefined,
  );
}

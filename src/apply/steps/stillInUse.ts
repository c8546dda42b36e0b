import { isObject, type JsonObject, listAt, objectAt, own, stringAt } from '../../base/json/json.ts';
import type { Kind } from '../../schema/record/kinds.ts';

/**
 * Why a record is still in use although nothing refers to it any more, in words: an address stays bound, and a volume
 * set mounted, for a while after the reference is gone. Until then DELETE is refused permanently (platform/deletion,
 * platform/ipset). Undefined: it is not in use.
 */
export function stillInUse(kind: Kind, record: JsonObject): string | undefined {
  return holders[kind]?.(objectAt(record, 'status'));
}

const holders: Partial<Record<Kind, (status: JsonObject) => string | undefined>> = {
  ipset: (status) => (listAt(status, 'ipAddresses').some(isBound) ? 'its addresses to be released' : undefined),
  volumeset: (status) => {
    const user = stringAt(status, 'usedByWorkload') ?? '';
    const used = listAt(status, 'workloadLinks').length > 0 || user !== '';
    return used ? 'its volumes to be unmounted' : undefined;
  },
};

function isBound(address: unknown): boolean {
  return isObject(address) && own(address, 'state') === 'bound';
}

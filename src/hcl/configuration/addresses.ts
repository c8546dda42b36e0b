import { isCreatableKind } from '../../schema/record/kinds.ts';
import { formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import { labelOf } from '../names.ts';
import { providerType } from '../provider.ts';

/** Where a record is in a configuration. */
export interface Address {
  /** `resource`; `data` for what the platform alone creates. */
  readonly block: 'resource' | 'data';
  readonly type: string;
  readonly label: string;
  /** As expressions refer to it: `gantry_gvc.shop`, `data.gantry_user.ann`. */
  readonly text: string;
}

/** Gives each record an address of its own. */
export class Addresses {
  readonly #used = new Set<string>();
  readonly #byId = new Map<ResourceId, Address>();

  /** The same record has the same address every time. */
  of(ref: Ref): Address {
    const id = formatRef(ref);
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const address = this.#unused(ref);
    this.#byId.set(id, address);
    return address;
  }

  #unused({ kind, name, gvc }: Ref): Address {
    const block = isCreatableKind(kind) ? 'resource' : 'data';
    const type = `${providerType}_${kind}`;
    const wanted = labelOf(gvc === undefined ? name : `${gvc}_${name}`);
    let label = wanted;
    for (let number = 2; this.#used.has(`${block}.${type}.${label}`); number += 1) label = `${wanted}_${number}`;
    this.#used.add(`${block}.${type}.${label}`);
    return { block, type, label, text: `${block === 'data' ? 'data.' : ''}${type}.${label}` };
  }
}

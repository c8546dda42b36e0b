import type { JsonObject } from '../../base/json/json.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { isBoundByMutualLink } from '../../kinds/kindFacts.ts';
import { references } from '../../kinds/references.ts';
import { isCreatableKind } from '../../schema/record/kinds.ts';
import { contextOf, formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import { type Expression, Reference, Template } from '../expression.ts';
import { labelOf } from '../names.ts';
import { providerType } from '../provider.ts';

/** The address of a record in a configuration. */
export interface Address {
  /** `data` for records that only the platform creates. */
  readonly block: 'resource' | 'data';
  readonly type: string;
  readonly label: string;
  /** The address in expressions: `gantry_gvc.shop`, `data.gantry_user.ann`. */
  readonly text: string;
}

/** Gives each record a unique address. */
export class Addresses {
  readonly #used = new Set<string>();
  readonly #byId = new Map<ResourceId, Address>();

  /** Returns the same address for the same record each time. */
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

/** The expressions for texts that name another resource of the configuration; undefined if it stays a text. */
export type LinkTexts = ReadonlyMap<string, Expression | undefined>;

type Found = ReturnType<typeof references>[number];

/**
 * The order in which references become dependencies, if not all can. A reference of a second step cannot: its target is
 * inside of the referrer.
 */
const precedence: readonly ((reference: Found) => boolean)[] = [
  ({ strength }) => strength === 'hard',
  // It can only be deleted after the records that it is bound to.
  ({ strength, target }) => strength === 'soft' && isBoundByMutualLink(target.kind),
  ({ strength, target }) => strength === 'soft' && !isBoundByMutualLink(target.kind),
  ({ strength }) => strength === 'none',
];

/**
 * For each record the texts that name others of the set, with expressions of the same value, so that Terraform knows
 * the order. References that would close a cycle stay texts.
 */
export function linkTexts(
  records: readonly ConfiguredRecord[],
  org: string,
  addressOf: (ref: Ref) => Address,
): ReadonlyMap<ResourceId, LinkTexts> {
  const recordIds = new Set(records.map(({ ref }) => formatRef(ref)));
  const graph = new AcyclicGraph();
  for (const { ref } of records) {
    if (ref.gvc !== undefined) graph.add(formatRef(ref), formatRef({ kind: 'gvc', name: ref.gvc }));
  }
  const found = new Map<ResourceId, Map<string, Expression | undefined>>(
    records.map(({ ref }) => [formatRef(ref), new Map()]),
  );
  const all = records.flatMap(({ ref, record }) =>
    references(ref.kind, record, contextOf(ref, org))
      .filter((reference) => reference.org === org && recordIds.has(formatRef(reference.target)))
      .map((reference) => ({ from: formatRef(ref), reference, text: valueThere(record, reference.pointer) })),
  );
  for (const isOfRank of precedence) {
    for (const { from, reference, text } of all) {
      const { target } = reference;
      if (!isOfRank(reference) || typeof text !== 'string' || !graph.add(from, formatRef(target))) continue;
      found.get(from)?.set(text, withName(text, target, addressOf(target)));
    }
  }
  return found;
}

/** The text with a reference instead of the target's name. Bare names are too ambiguous. */
function withName(text: string, { name }: Ref, { text: address }: Address): Expression | undefined {
  if (!/^\/|^scheme:\/\//.test(text)) return undefined;
  const start = text.lastIndexOf('/') + 1;
  if (!text.startsWith(name, start)) return undefined;
  const behind = text.slice(start + name.length);
  const reference = new Reference(`${address}.name`);
  return new Template([text.slice(0, start), reference, behind]);
}

/**
 * Edges between resources, without cycles: Terraform refuses them, the platform accepts some. Edges that are added
 * first take precedence.
 */
class AcyclicGraph {
  readonly #edges = new Map<string, Set<string>>();

  /** False if it would close a cycle, and was not added. */
  add(from: string, to: string): boolean {
    if (this.#reaches(to, from)) return false;
    const edges = this.#edges.get(from) ?? new Set();
    this.#edges.set(from, edges.add(to));
    return true;
  }

  #reaches(from: string, to: string): boolean {
    const seen = new Set<string>();
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at === to) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      open.push(...(this.#edges.get(at) ?? []));
    }
    return false;
  }
}

/** A record to write as configuration. */
export interface ConfiguredRecord {
  readonly ref: Ref;
  /** The record of the manifest or of the platform, with `lifecycle` if it is a manifest; without `kind` and `gvc`. */
  readonly record: JsonObject;
  /**
   * The live record without sensitive values: the configuration contains what an import reads. @default it is not live
   */
  readonly live?: JsonObject;
  /** Paths that the schema does not know and that are not in `record`. @default those that are in it */
  readonly unknown?: readonly string[];
}

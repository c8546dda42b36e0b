import type { JsonObject } from '../../base/json/json.ts';
import { valueThere } from '../../base/json/valuesAt.ts';
import { isBoundByMutualLink } from '../../kinds/kindFacts.ts';
import { references } from '../../kinds/references.ts';
import { isCreatableKind } from '../../schema/record/kinds.ts';
import { contextOf, formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import { type Expression, Reference, Template } from '../expression.ts';
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

/** The expressions for texts that name another resource of the configuration; undefined: it stays a text. */
export type LinkTexts = ReadonlyMap<string, Expression | undefined>;

type Found = ReturnType<typeof references>[number];

/**
 * Which references become dependencies first, where not all of them can. One of a second step cannot: it is to what is
 * inside of the referrer.
 */
const precedence: readonly ((reference: Found) => boolean)[] = [
  ({ strength }) => strength === 'hard',
  // It can only be deleted after what it is bound to.
  ({ strength, target }) => strength === 'soft' && isBoundByMutualLink(target.kind),
  ({ strength, target }) => strength === 'soft' && !isBoundByMutualLink(target.kind),
  ({ strength }) => strength === 'none',
];

/**
 * For each record the texts in it that name others of the set, with expressions that give the same text: so Terraform
 * knows what waits for what. References that would close a circle stay texts.
 */
export function linkTexts(
  records: readonly ConfiguredRecord[],
  org: string,
  addressOf: (ref: Ref) => Address,
): ReadonlyMap<ResourceId, LinkTexts> {
  const inSet = new Set(records.map(({ ref }) => formatRef(ref)));
  const graph = new AcyclicGraph();
  for (const { ref } of records) {
    if (ref.gvc !== undefined) graph.add(formatRef(ref), formatRef({ kind: 'gvc', name: ref.gvc }));
  }
  const found = new Map<ResourceId, Map<string, Expression | undefined>>(
    records.map(({ ref }) => [formatRef(ref), new Map()]),
  );
  const all = records.flatMap(({ ref, record }) =>
    references(ref.kind, record, contextOf(ref, org))
      .filter((reference) => reference.org === org && inSet.has(formatRef(reference.target)))
      .map((reference) => ({ from: formatRef(ref), reference, text: valueThere(record, reference.pointer) })),
  );
  for (const comesNow of precedence) {
    for (const { from, reference, text } of all) {
      const { target } = reference;
      if (!comesNow(reference) || typeof text !== 'string' || !graph.add(from, formatRef(target))) continue;
      found.get(from)?.set(text, withName(text, target, addressOf(target)));
    }
  }
  return found;
}

/** The text with the name of the target in it as a reference. Bare names are too much like other texts. */
function withName(text: string, { name }: Ref, { text: address }: Address): Expression | undefined {
  if (!/^\/|^scheme:\/\//.test(text)) return undefined;
  const start = text.lastIndexOf('/') + 1;
  if (!text.startsWith(name, start)) return undefined;
  const behind = text.slice(start + name.length);
  const reference = new Reference(`${address}.name`);
  return new Template([text.slice(0, start), reference, behind]);
}

/**
 * Edges between resources, of which none closes a circle: Terraform refuses those, the platform takes some. What is
 * added first is in it.
 */
class AcyclicGraph {
  readonly #edges = new Map<string, Set<string>>();

  /** False: it would close a circle, and was not added. */
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
  /** The record of the manifest or of the platform, with `lifecycle` where it is a manifest; no `kind`, no `gvc`. */
  readonly record: JsonObject;
  /** The record as the platform has it, without what is sensitive: what an import reads is written. @default it is not live */
  readonly live?: JsonObject;
  /** Paths that the schema does not know and that are not in `record`. @default those that are in it */
  readonly unknown?: readonly string[];
}

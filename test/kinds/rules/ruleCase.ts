import type { JsonObject } from '../../../src/base/json/json.ts';
import { checkChange, checkRecord, checkRelated, type Related, type Where } from '../../../src/kinds/registry.ts';
import type { Kind } from '../../../src/schema/record/kinds.ts';
import type { Problem } from '../../../src/schema/record/problem.ts';
import { formatRef, type RecordContext, type Ref } from '../../../src/schema/record/ref.ts';

/** What a rule reads beside the record. */
export interface Around {
  readonly kind: Kind;
  /** For changes: the record before. */
  readonly before?: JsonObject;
  /** For rules over several records: the known ones. */
  readonly others?: readonly Other[];
  /** The records known to be absent, as `kind/[gvc/]name`. */
  readonly absent?: readonly string[];
  readonly where?: Where;
  /** By default the GVC `shop` of the org `acme`. */
  readonly context?: RecordContext;
}

/** A rule with a record that it accepts, and one that it refuses at `path`. */
export interface RuleCase extends Around {
  readonly rule: string;
  readonly it: string;
  readonly passes: JsonObject;
  readonly fails: JsonObject;
  readonly path: string;
}

/** The problems of a record by the rules of all scopes of the case. */
export function problemsOf(around: Around, record: JsonObject): readonly Problem[] {
  const { kind, before, others, absent, where, context: itsContext = context } = around;
  if (before !== undefined) {
    const origin = record['origin'] === undefined ? {} : { origin: record['origin'] };
    return checkChange(kind, { ...before, ...origin }, record, itsContext, where);
  }
  const alone = checkRecord(kind, record, itsContext, where);
  return [...alone, ...checkRelated(kind, record, itsContext, relatedOf(others, absent), where)];
}

/** The cases of one rule for one kind. */
export function casesOf(rule: string, kind: Kind, cases: readonly Omit<RuleCase, 'kind' | 'rule'>[]): RuleCase[] {
  return cases.map((each) => ({ rule, kind, ...each }));
}

export interface Other {
  readonly ref: Ref;
  readonly record: JsonObject;
}

export const context = { org: 'acme', gvc: 'shop' } as const;

/** A record of the GVC `shop`, or of the org. */
export function other(kind: Kind, name: string, fields: JsonObject = {}): Other {
  const inGvc = kind === 'workload' || kind === 'identity' || kind === 'volumeset';
  return { ref: inGvc ? { kind, gvc: 'shop', name } : { kind, name }, record: { name, ...fields } };
}

export function relatedOf(others: readonly Other[] = [], absent: readonly string[] = []): Related {
  return {
    get(ref) {
      const id = formatRef(ref);
      if (absent.includes(id)) return undefined;
      return others.find((known) => formatRef(known.ref) === id)?.record ?? 'unknown';
    },
    list: (kind, gvc) => others.filter(({ ref }) => ref.kind === kind && (gvc === undefined || ref.gvc === gvc)),
  };
}

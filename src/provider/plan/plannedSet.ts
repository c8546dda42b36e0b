import type { JsonObject } from '../../base/json/json.ts';
import type { Diagnostic } from '../../hcl/diagnostic.ts';
import type { ObjectValue } from '../../hcl/value.ts';
import { attributePathOf } from '../../hcl/values/attributePath.ts';
import { references } from '../../kinds/references.ts';
import { checkPartialRecord, type Related, type Unknown } from '../../kinds/registry.ts';
import type { Kind, WrittenKind } from '../../schema/record/kinds.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { contextOf, formatRef, type Ref, type ResourceId } from '../../schema/record/ref.ts';
import type { Known } from '../../schema/rules/rule.ts';
import { problemDiagnostic } from './validateConfig.ts';

/** A record as the plan leaves it. */
export interface PlannedRecord {
  readonly kind: WrittenKind;
  readonly ref: Ref;
  readonly record: JsonObject;
  /** The values that are not known yet; the rules conclude nothing from them, nor from the record about others. */
  readonly unknowns?: readonly Unknown[];
  /** Locates a problem's attribute. */
  readonly config: ObjectValue;
  /** Whether it is created or changed. */
  readonly isWritten: boolean;
}

/** Records outside this configuration that were read for other reasons. */
export interface OtherRecords {
  get(ref: Ref): JsonObject | undefined;
  list(kind: Kind, gvc: string | undefined): readonly Known[];
}

const nothing: OtherRecords = { get: () => undefined, list: () => [] };

/**
 * The records that one process has planned so far, and the rules over several resources. Terraform plans one resource
 * at a time, in its own order: a record is checked when it is planned, and again when one that it refers to is. A
 * record that was not planned yet is never assumed to be absent.
 */
export class PlannedSet {
  readonly #org: string;
  readonly #others: OtherRecords;
  readonly #planned = new Map<ResourceId, PlannedRecord | 'open' | 'gone'>();
  readonly #referrers = new Map<ResourceId, Set<ResourceId>>();
  /** By kind and GVC, until another record of these is planned, because rules index each list once. */
  readonly #lists = new Map<string, readonly Known[]>();
  readonly #reported = new Set<string>();

  constructor(org: string, others: OtherRecords) {
    this.#org = org;
    this.#others = others;
  }

  /** The problems that are known after adding this record. */
  add(planned: PlannedRecord): readonly Diagnostic[] {
    const { kind, ref, record } = planned;
    const id = formatRef(ref);
    this.#set(ref, planned);
    for (const { target, org } of references(kind, record, contextOf(ref, this.#org))) {
      if (org !== this.#org) continue;
      const targetId = formatRef(target);
      this.#referrers.set(targetId, (this.#referrers.get(targetId) ?? new Set()).add(id));
    }
    const own = this.#problemsOf(planned).map((problem) =>
      problemDiagnostic(kind, problem, attributePathOf(kind, problem.pointer, planned.config)),
    );
    return [...own, ...this.#problemsOfReferrers(ref)];
  }

  /** Whether it was planned, with any action. */
  knows(ref: Ref): boolean {
    return this.#planned.has(formatRef(ref));
  }

  /** Adds a record of which not even the name is known: nothing is concluded from it before the apply. */
  addOpen(ref: Ref): void {
    this.#set(ref, 'open');
  }

  /** Notes a deletion, unless another record gets the name; returns the problems of its referrers. */
  remove(ref: Ref): readonly Diagnostic[] {
    if (this.#planned.has(formatRef(ref))) return [];
    this.#set(ref, 'gone');
    return this.#problemsOfReferrers(ref);
  }

  #set(ref: Ref, state: PlannedRecord | 'open' | 'gone'): void {
    this.#planned.set(formatRef(ref), state);
    this.#lists.delete(ref.kind);
    this.#lists.delete(`${ref.kind}/${ref.gvc}`);
  }

  #problemsOfReferrers(ref: Ref): readonly Diagnostic[] {
    return [...(this.#referrers.get(formatRef(ref)) ?? [])].flatMap((id) => {
      const referrer = this.#planned.get(id);
      if (typeof referrer !== 'object') return [];
      return this.#problemsOf(referrer).map((problem): Diagnostic => {
        const at = problemDiagnostic(
          referrer.kind,
          problem,
          attributePathOf(referrer.kind, problem.pointer, referrer.config),
        );
        return { severity: at.severity, summary: `${id}: ${at.summary}`, detail: at.detail };
      });
    });
  }

  /**
   * The problems that were not reported before. Errors are only those that this plan causes. Problems of an unchanged
   * record, or involving records of others, which may change in the meantime, are warnings.
   */
  #problemsOf({ kind, ref, record, unknowns = [], isWritten }: PlannedRecord): readonly Problem[] {
    const context = contextOf(ref, this.#org);
    const check = (related: Related) => checkPartialRecord(kind, record, unknowns, context, undefined, related);
    const withOthers = this.#related(this.#others);
    const all = check(withOthers.related);
    const isCertain = !withOthers.sawOthers();
    const certain = isCertain ? all : check(this.#related(nothing).related);
    const id = formatRef(ref);
    const made = isWritten ? certain : certain.map(asWarning);
    return [...made, ...(isCertain ? [] : all.map(asWarning))].filter(({ rule, path, message }) => {
      const key = `${id} ${rule} ${path} ${message}`;
      const isNew = !this.#reported.has(key);
      this.#reported.add(key);
      return isNew;
    });
  }

  /** `sawOthers`: whether the rules read a record of others. */
  #related(others: OtherRecords): { readonly related: Related; sawOthers(): boolean } {
    let sawOthers = false;
    const related: Related = {
      get: (ref) => {
        const planned = this.#planned.get(formatRef(ref));
        if (planned === 'gone') return undefined;
        if (planned !== undefined) return isWhole(planned) ? planned.record : 'unknown';
        const other = others.get(ref);
        sawOthers ||= other !== undefined;
        return other ?? 'unknown';
      },
      list: (kind, gvc, target) => {
        const planned = target === undefined ? this.#plannedOf(kind, gvc) : this.#referring(target, kind, gvc);
        const rest = others.list(kind, gvc).filter(({ ref }) => !this.#planned.has(formatRef(ref)));
        if (rest.length === 0) return planned;
        sawOthers = true;
        return [...planned, ...rest];
      },
    };
    return { related, sawOthers: () => sawOthers };
  }

  #plannedOf(kind: Kind, gvc: string | undefined): readonly Known[] {
    const key = gvc === undefined ? kind : `${kind}/${gvc}`;
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const made = whole(this.#planned.values(), kind, gvc);
    this.#lists.set(key, made);
    return made;
  }

  /** Only the referrers, because a list of all would be rebuilt for each of thousands. */
  #referring(target: Ref, kind: Kind, gvc: string | undefined): readonly Known[] {
    const referrers = this.#referrers.get(formatRef(target)) ?? [];
    return whole(
      [...referrers].flatMap((id) => this.#planned.get(id) ?? []),
      kind,
      gvc,
    );
  }
}

/** The completely known records of a kind, and of a GVC if given. */
function whole(
  planned: Iterable<PlannedRecord | 'open' | 'gone'>,
  kind: Kind,
  gvc: string | undefined,
): readonly PlannedRecord[] {
  return [...planned]
    .filter(isWhole)
    .filter((each) => each.kind === kind && (gvc === undefined || each.ref.gvc === gvc));
}

function isWhole(planned: PlannedRecord | 'open' | 'gone'): planned is PlannedRecord {
  return typeof planned === 'object' && (planned.unknowns ?? []).length === 0;
}

function asWarning(problem: Problem): Problem {
  return { ...problem, severity: 'warning' };
}

import type { JsonObject } from '../../base/json/json.ts';
import type { Pointer } from '../../base/json/pointer.ts';
import { compact } from '../../base/json/present.ts';
import type { Kind } from '../record/kinds.ts';
import type { RecordContext, Ref } from '../record/ref.ts';

/** Reports a problem and its place; `hint` replaces the `fix` of the rule if more is known. */
export type Report = (pointer: Pointer, message: string, hint?: string) => void;

/** Where a rule applies: to manifests, to records that the platform stores, or (absent) to both. */
export type Where = 'offline' | 'server';

/** A known record, with its address. */
export interface Known {
  readonly ref: Ref;
  readonly record: JsonObject;
}

/** The other records that rules over several resources may read. */
export interface Related {
  /**
   * Undefined if known to be absent. `unknown` if it cannot be known here, so that no rule may draw a conclusion from
   * it.
   */
  get(ref: Ref): JsonObject | undefined | 'unknown';
  /**
   * All known records of a kind; of one GVC if `gvc` is given. Must return the same list each time, as rules index it;
   * may return only those that refer to `target`.
   */
  list(kind: Kind, gvc?: string, target?: Ref): readonly Known[];
}

/** The record, if it is known to exist. */
export function known(record: ReturnType<Related['get']>): JsonObject | undefined {
  return record === 'unknown' ? undefined : record;
}

/** One record under examination. Numbers are numbers, links short or full; anything may have a wrong type. */
export interface Subject {
  readonly kind: Kind;
  readonly record: JsonObject;
  readonly context: RecordContext;
}

/** The description of a rule. */
export interface RuleFacts {
  /** `W12` or `tags.count`. Stable: scripts match on it. */
  readonly id: string;
  /** Its section of docs/platform: `workload.types`. */
  readonly section: string;
  readonly title: string;
  readonly severity: 'error' | 'warning';
  /** Possibly stricter than the service: only a warning in lenient mode. */
  readonly lenient?: true;
  /** Only a warning for manifests, as an installation may be lenient. */
  readonly offline?: 'warning';
  readonly where?: Where;
  /** Its problems at a place depend only on the value there. */
  readonly judgesEach?: true;
  /** Its problems at a list item depend on the other items, even if parts of these are omitted. */
  readonly comparesItems?: true;
  /** The hint of its problems. */
  readonly fix: string;
}

/**
 * A rule of the platform. `View` is what its group reads from a record once for all its rules. Checks are pure and
 * never throw, for any JSON.
 */
export interface RuleOf<View> extends RuleFacts {
  /** Checks the record alone. */
  readonly record?: (view: View, report: Report) => void;
  /** Checks the record together with others. */
  readonly related?: (view: View, related: Related, report: Report) => void;
  /** Checks the record before and after a write; pointers refer to the one after. */
  readonly change?: (before: View, after: View, report: Report) => void;
}

/** A registered rule. */
export interface Rule extends RuleFacts {
  readonly kinds: readonly Kind[];
  readonly scopes: readonly Scope[];
}
export type Scope = 'record' | 'related' | 'change';

/** Returns the report function of a rule, valid until the next call: most rules report nothing. */
export type Sink = (rule: RuleFacts) => Report;

/** Rules that share kinds and a view, ready to run. */
export interface RuleGroup {
  readonly kinds: readonly Kind[];
  readonly rules: readonly Rule[];
  checkRecord(subject: Subject, where: Where | undefined, sink: Sink): void;
  /**
   * Like `checkRecord`, or `checkRelated` with `related`, but with a separate subject for each rule, so that reads are
   * tracked by rule.
   */
  checkEach(
    where: Where | undefined,
    subjectOf: (rule: RuleFacts) => readonly [Subject, Report],
    related: Related | undefined,
  ): void;
  checkRelated(subject: Subject, related: Related, where: Where | undefined, sink: Sink): void;
  checkChange(before: Subject, after: Subject, where: Where | undefined, sink: Sink): void;
}

/**
 * A view that is made once for consecutive groups that share it: it remembers only the last record, which must not
 * change meanwhile.
 */
export function sharedView<View extends object>(read: (subject: Subject) => View): (subject: Subject) => View {
  let last: { readonly subject: Subject; readonly view: View } | undefined;
  return (subject) => {
    const known = last?.subject;
    if (
      last === undefined ||
      known?.record !== subject.record ||
      known.context !== subject.context ||
      known.kind !== subject.kind
    ) {
      last = { subject, view: read(subject) };
    }
    return last.view;
  };
}

export function ruleGroup<View>(
  kinds: readonly Kind[],
  viewOf: (subject: Subject) => View,
  members: readonly RuleOf<View>[],
): RuleGroup {
  const rules = members.map(({ record, related, change, ...facts }): Rule => {
    const scopes = [record && 'record', related && 'related', change && 'change'] as const;
    return { ...facts, kinds, scopes: compact(scopes) };
  });
  const ofRecord = checksByPlace(members, ({ record }) => record);
  const ofRelated = checksByPlace(members, ({ related }) => related);
  const ofChange = checksByPlace(members, ({ change }) => change);

  return {
    kinds,
    rules,
    checkRecord(subject, where, sink) {
      const checks = ofRecord(where);
      if (checks.length === 0) return;
      const view = viewOf(subject);
      for (const { rule, check } of checks) check(view, sink(rule));
    },
    checkEach(where, subjectOf, related) {
      if (related === undefined) {
        for (const { rule, check } of ofRecord(where)) {
          const [subject, report] = subjectOf(rule);
          check(viewOf(subject), report);
        }
        return;
      }
      for (const { rule, check } of ofRelated(where)) {
        const [subject, report] = subjectOf(rule);
        check(viewOf(subject), related, report);
      }
    },
    checkRelated(subject, related, where, sink) {
      const checks = ofRelated(where);
      if (checks.length === 0) return;
      const view = viewOf(subject);
      for (const { rule, check } of checks) check(view, related, sink(rule));
    },
    checkChange(before, after, where, sink) {
      const checks = ofChange(where);
      if (checks.length === 0) return;
      const was = viewOf(before);
      const is = viewOf(after);
      for (const { rule, check } of checks) check(was, is, sink(rule));
    },
  };
}

/** Rules that read the record itself. */
export function recordRules(kinds: readonly Kind[], rules: readonly RuleOf<Subject>[]): RuleGroup {
  return ruleGroup(kinds, (subject) => subject, rules);
}

/** One check of one rule. */
interface CheckOf<Check> {
  readonly rule: RuleFacts;
  readonly check: Check;
}

/** The checks of one scope for each place, computed once. */
function checksByPlace<Rule extends RuleFacts, Check>(
  rules: readonly Rule[],
  checkOf: (rule: Rule) => Check | undefined,
): (where: Where | undefined) => readonly CheckOf<Check>[] {
  const all = compact(rules, (rule) => {
    const check = checkOf(rule);
    return check === undefined ? undefined : { rule, check };
  });
  const at = (where?: Where) => all.filter(({ rule }) => rule.where === undefined || rule.where === where);
  const byPlace = { offline: at('offline'), server: at('server'), neither: at() };
  return (where) => byPlace[where ?? 'neither'];
}

import type { RecordContext } from '../context.ts';
import type { JsonObject } from '../json.ts';
import type { Kind } from '../kinds.ts';
import type { Ref } from '../ref.ts';

/** Keys and indexes from the record to the place. */
export type Pointer = readonly (string | number)[];

/** A rule says what is wrong and where; `hint` replaces the rule's own `fix` where more is known. */
export type Report = (pointer: Pointer, message: string, hint?: string) => void;

/** Where a rule holds: for what a user writes, for what the platform stores, or (absent) for both. */
export type Where = 'offline' | 'server';

/** A record that is known, by its address. */
export interface Known {
  readonly ref: Ref;
  readonly record: JsonObject;
}

/** The other records that a rule over several resources may look at. */
export interface Related {
  /** Undefined: known to be absent. `unknown`: cannot be known here, so no rule may draw a conclusion from it. */
  get(ref: Ref): JsonObject | undefined | 'unknown';
  /** All records of a kind that are known; of one GVC where `gvc` is given. The same list each time is best: rules index it. */
  list(kind: Kind, gvc?: string): readonly Known[];
}

/** One record under examination. Numbers are numbers, links short or full; anything may have a wrong type. */
export interface Subject {
  readonly kind: Kind;
  readonly record: JsonObject;
  readonly context: RecordContext;
}

/** What is known of a rule without running it. */
export interface RuleFacts {
  /** The id of the resource sheet where it has one (`W12`), else a readable one (`tags.count`). Stable: scripts match on it. */
  readonly id: string;
  /** Where it stands (`resources B2.12`). */
  readonly section: string;
  readonly title: string;
  readonly severity: 'error' | 'warning';
  /** Perhaps stricter than the service: only a warning in lenient mode (design 7). */
  readonly lenient?: true;
  readonly where?: Where;
  /** What to do about it: the hint of its problems. */
  readonly fix: string;
}

/**
 * A rule of the platform. `View` is what its group reads out of a record once for all of its rules.
 * Checks are pure and never throw, whatever JSON they are given.
 */
export interface RuleOf<View> extends RuleFacts {
  /** From the record alone. */
  readonly record?: (view: View, report: Report) => void;
  /** From the record and others. */
  readonly related?: (view: View, related: Related, report: Report) => void;
  /** From the record before and after a write; pointers are into the one after. */
  readonly change?: (before: View, after: View, report: Report) => void;
}

/** A registered rule. */
export interface Rule extends RuleFacts {
  readonly kinds: readonly Kind[];
  readonly scopes: readonly Scope[];
}
export type Scope = 'record' | 'related' | 'change';

/** Told of each finding; `rule` is the one that made it. */
export type Sink = (rule: RuleFacts, pointer: Pointer, message: string, hint?: string) => void;

/** Rules that share kinds and a view, ready to run. */
export interface RuleGroup {
  readonly kinds: readonly Kind[];
  readonly rules: readonly Rule[];
  checkRecord(subject: Subject, where: Where | undefined, sink: Sink): void;
  checkRelated(subject: Subject, related: Related, where: Where | undefined, sink: Sink): void;
  checkChange(before: Subject, after: Subject, where: Where | undefined, sink: Sink): void;
}

export function ruleGroup<View>(
  kinds: readonly Kind[],
  viewOf: (subject: Subject) => View,
  members: readonly RuleOf<View>[],
): RuleGroup {
  const rules = members.map(({ record, related, change, ...facts }): Rule => {
    const scopes = [record && 'record', related && 'related', change && 'change'] as const;
    return { ...facts, kinds, scopes: scopes.filter((scope) => scope !== undefined) };
  });
  const withRecord = members.filter(({ record }) => record !== undefined);
  const withRelated = members.filter(({ related }) => related !== undefined);
  const withChange = members.filter(({ change }) => change !== undefined);

  return {
    kinds,
    rules,
    checkRecord(subject, where, sink) {
      if (withRecord.length === 0) return;
      const view = viewOf(subject);
      each(withRecord, where, sink, (rule, report) => rule.record?.(view, report));
    },
    checkRelated(subject, related, where, sink) {
      if (withRelated.length === 0) return;
      const view = viewOf(subject);
      each(withRelated, where, sink, (rule, report) => rule.related?.(view, related, report));
    },
    checkChange(before, after, where, sink) {
      if (withChange.length === 0) return;
      const [was, is] = [viewOf(before), viewOf(after)];
      each(withChange, where, sink, (rule, report) => rule.change?.(was, is, report));
    },
  };
}

/** Runs the rules that hold here. One reporter serves them all: most records have nothing to report. */
function each<View>(
  rules: readonly RuleOf<View>[],
  where: Where | undefined,
  sink: Sink,
  run: (rule: RuleOf<View>, report: Report) => void,
): void {
  let current: RuleOf<View> | undefined;
  const report: Report = (pointer, message, hint) => {
    if (current !== undefined) sink(current, pointer, message, hint);
  };
  for (const rule of rules) {
    if (rule.where !== undefined && rule.where !== where) continue;
    current = rule;
    run(rule, report);
  }
}

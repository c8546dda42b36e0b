import { type JsonObject, own, sameJson } from '../base/json/json.ts';
import type { Pointer } from '../base/json/pointer.ts';
import { onceFor } from '../base/once.ts';
import { isKnownKind, type Kind } from '../schema/record/kinds.ts';
import type { Problem } from '../schema/record/problem.ts';
import type { RecordContext } from '../schema/record/ref.ts';
import { isKnownAt, PartialRecord, type Unknown, unknownsOf } from '../schema/rules/partialRecord.ts';
import { show } from '../schema/rules/reading.ts';
import {
  type Related,
  type Report,
  type Rule,
  type RuleFacts,
  type RuleGroup,
  type RuleOf,
  recordRules,
  type Sink,
  type Subject,
  type Where,
} from '../schema/rules/rule.ts';
import { formatPath } from '../schema/shape/paths.ts';
import { cloudAccountRules } from './cloudaccount/rules.ts';
import { descriptionRules, domainEnvelopeRules, envelopeRules, nameRules, sameNameRules } from './common/envelope.ts';
import { queryRules } from './common/expressions.ts';
import { hostRules } from './domain/hostRules.ts';
import { domainRelatedRules } from './domain/relatedRules.ts';
import { routeRules, routingRules } from './domain/routingRules.ts';
import { groupRules } from './group/rules.ts';
import { deprecatedGvcRules, gvcRules, tracingRules } from './gvc/rules.ts';
import { identityRules } from './identity/rules.ts';
import { ipSetRules } from './ipset/rules.ts';
import { permissions } from './kindFacts.ts';
import { linkRules, referenceRules, secretReferenceRules } from './links.ts';
import { locationRules } from './location/rules.ts';
import { orgRules } from './org/rules.ts';
import { policyRules } from './policy/rules.ts';
import {
  cloudAccountSecretRules,
  domainSecretRules,
  gvcSecretRules,
  secretRules,
  tracingSecretRules,
} from './secret/rules.ts';
import { shapeOf } from './shapeOf.ts';
import { volumeSetLifeRules, volumeSetRules } from './volumeset/rules.ts';
import { containerRules, imageRules, mountRules } from './workload/containerRules.ts';
import { jobRules, networkRules } from './workload/networkRules.ts';
import { workloadRelatedRules } from './workload/relatedRules.ts';
import { resourceRules, scalingRules } from './workload/resourceRules.ts';
import { typeRules, vmRules } from './workload/typeRules.ts';

export { isKnownAt, type Unknown } from '../schema/rules/partialRecord.ts';
export type { Related, Rule, Where } from '../schema/rules/rule.ts';

/** The rules of custom kinds; their allowed names are unknown. */
const customGroups: readonly RuleGroup[] = [sameNameRules, descriptionRules, envelopeRules];

/** Whether it is built in and changed. Sending it back unchanged is allowed. */
function isBuiltInOther(before: JsonObject, after: JsonObject): boolean {
  return own(before, 'origin') === 'builtin' && !sameJson(before, { ...after, origin: 'builtin' });
}

const builtInPolicy: RuleOf<Subject> = {
  id: 'PO6',
  section: 'concepts.built-in',
  title: 'Built-in policies cannot be changed.',
  severity: 'error',
  fix: 'Create a policy of your own.',
  change({ record }, after, report) {
    if (isBuiltInOther(record, after.record))
      report([], `the built-in policy ${show(own(record, 'name'))} cannot be changed`);
  },
};

const builtInRecord: RuleOf<Subject> = {
  id: 'builtin.immutable',
  section: 'concepts.built-in',
  title: 'The built-in service account and audit context cannot be changed.',
  severity: 'error',
  fix: 'Create one of your own.',
  change({ kind, record }, after, report) {
    if (isBuiltInOther(record, after.record))
      report([], `the built-in ${kind} ${show(own(record, 'name'))} cannot be changed`);
  },
};

/** The rules for which the platform has a separate error code (platform/concepts.built-in). */
export const builtInRuleIds: ReadonlySet<string> = new Set([builtInPolicy.id, builtInRecord.id]);

const builtInPolicyRules = recordRules(['policy'], [builtInPolicy]);
const builtInRules = recordRules(['serviceaccount', 'auditctx'], [builtInRecord]);

/** All rules: first those of all records, then by kind. */
const groups: readonly RuleGroup[] = [
  nameRules,
  sameNameRules,
  descriptionRules,
  envelopeRules,
  linkRules,
  referenceRules,
  queryRules,
  mountRules,
  gvcRules,
  tracingRules,
  gvcSecretRules,
  tracingSecretRules,
  deprecatedGvcRules,
  typeRules,
  containerRules,
  imageRules,
  resourceRules,
  scalingRules,
  networkRules,
  jobRules,
  vmRules,
  workloadRelatedRules,
  secretReferenceRules,
  domainEnvelopeRules,
  hostRules,
  routingRules,
  routeRules,
  domainRelatedRules,
  domainSecretRules,
  volumeSetRules,
  volumeSetLifeRules,
  identityRules,
  ipSetRules,
  groupRules,
  policyRules(permissions),
  builtInPolicyRules,
  secretRules,
  cloudAccountRules,
  cloudAccountSecretRules,
  locationRules,
  builtInRules,
  orgRules,
];

/** All rules, in the order of kinds; shared rules are listed once. */
export const rules: readonly Rule[] = groups.flatMap((group) => group.rules);

const byId: ReadonlyMap<string, Rule> = new Map(rules.map((rule) => [rule.id, rule]));

const groupsOfKnown = onceFor((kind: Kind) => groups.filter((group) => group.kinds.includes(kind)));

function groupsOf(kind: Kind): readonly RuleGroup[] {
  return isKnownKind(kind) ? groupsOfKnown(kind) : customGroups;
}

/**
 * The problems of one record on its own. Never throws, for any JSON.
 *
 * `where`: `offline` for manifests, `server` for records to be stored; rules for the other side are skipped, and
 * without it those for either side (reserved tags, for example). `most`: the maximum number of problems for each rule,
 * so that none hides those of another.
 */
export function checkRecord(
  kind: Kind,
  record: JsonObject,
  context: RecordContext,
  where?: Where,
  most = Number.POSITIVE_INFINITY,
): readonly Problem[] {
  const problems: Problem[] = [];
  const sink = problemSink({ kind, record, where }, problems, most);
  const subject = { kind, record, context };
  for (const group of groupsOf(kind)) group.checkRecord(subject, where, sink);
  return problems;
}

/** The problems of tags, independent of the rest of the record: all are errors. */
export function checkTags(kind: Kind, tags: JsonObject, context: RecordContext): readonly Problem[] {
  const problems: Problem[] = [];
  const record = { tags };
  envelopeRules.checkRecord(
    { kind, record, context },
    undefined,
    problemSink({ kind, record, where: undefined }, problems),
  );
  return problems;
}

/**
 * The problems of a partially unknown record that exist regardless of the unknown values (`PartialRecord`); with
 * `related`, those in relation to others. It takes longer than `checkRecord`.
 */
export function checkPartialRecord(
  kind: Kind,
  record: JsonObject,
  unknowns: readonly Unknown[],
  context: RecordContext,
  where?: Where,
  related?: Related,
): readonly Problem[] {
  if (unknowns.length === 0) {
    return related === undefined
      ? checkRecord(kind, record, context, where)
      : checkRelated(kind, record, context, related, where);
  }
  const problems: Problem[] = [];
  const sink = problemSink({ kind, record, where }, problems);
  const places = unknownsOf(unknowns, shapeOf(kind, record));
  const subjectFor = (rule: RuleFacts): readonly [Subject, Report] => {
    const partial = new PartialRecord(record, places);
    const report = sink(rule);
    const isCertain = (pointer: Pointer): boolean =>
      rule.judgesEach === true ? isKnownAt(unknowns, pointer) : partial.isCertain(pointer, rule.comparesItems === true);
    return [
      { kind, record: partial.record, context },
      (pointer, message, hint) => {
        if (isCertain(pointer)) report(pointer, message, hint);
      },
    ];
  };
  for (const group of groupsOf(kind)) group.checkEach(where, subjectFor, related);
  return problems;
}

/** The problems of one record in relation to others. Records unknown to `related` are never a problem. */
export function checkRelated(
  kind: Kind,
  record: JsonObject,
  context: RecordContext,
  related: Related,
  where?: Where,
): readonly Problem[] {
  const problems: Problem[] = [];
  const sink = problemSink({ kind, record, where }, problems);
  const subject = { kind, record, context };
  for (const group of groupsOf(kind)) group.checkRelated(subject, related, where, sink);
  return problems;
}

/** Finds forbidden changes between two versions of a record: immutable fields, built-in records. */
export function checkChange(
  kind: Kind,
  before: JsonObject,
  after: JsonObject,
  context: RecordContext,
  where?: Where,
): readonly Problem[] {
  const problems: Problem[] = [];
  const sink = problemSink({ kind, record: after, where }, problems);
  for (const group of groupsOf(kind)) {
    group.checkChange({ kind, record: before, context }, { kind, record: after, context }, where, sink);
  }
  return problems;
}

/** The same problems in lenient mode: those that the service may accept become warnings. */
export function asLenient(problems: readonly Problem[]): readonly Problem[] {
  return problems.map((problem) =>
    byId.get(problem.rule)?.lenient === true ? { ...problem, severity: 'warning' } : problem,
  );
}

interface Checked {
  readonly kind: Kind;
  readonly record: JsonObject;
  readonly where: Where | undefined;
}

function problemSink({ kind, record, where }: Checked, problems: Problem[], most = Number.POSITIVE_INFINITY): Sink {
  let rule: RuleFacts;
  let count: number;
  const report: Report = (pointer, message, hint) => {
    count += 1;
    if (count > most) return;
    problems.push({
      rule: rule.id,
      path: formatPath(shapeOf(kind, record), record, pointer),
      pointer,
      message,
      hint: hint ?? rule.fix,
      severity: where === 'server' ? rule.severity : (rule.offline ?? rule.severity),
    });
  };
  return (next) => {
    rule = next;
    count = 0;
    return report;
  };
}

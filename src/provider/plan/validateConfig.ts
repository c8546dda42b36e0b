import { compact, present } from '../../base/json/present.ts';
import type { AttributePath, Diagnostic } from '../../hcl/diagnostic.ts';
import { inAttributesOf } from '../../hcl/schema/fieldWords.ts';
import { writeOnly } from '../../hcl/schema/ownAttributes.ts';
import { attributeOf, isListValue, isObjectValue, type ObjectValue, unknown, type Value } from '../../hcl/value.ts';
import { attributePathOf } from '../../hcl/values/attributePath.ts';
import { wrongChoice } from '../../hcl/values/choiceOfType.ts';
import { isEmptyBlock, manifestOf, pathText } from '../../hcl/values/manifestOf.ts';
import { hiddenField } from '../../kinds/kindFacts.ts';
import { checkPartialRecord, isKnownAt } from '../../kinds/registry.ts';
import { type Validators, validateShape } from '../../kinds/validators.ts';
import { queryMatches, queryOrders } from '../../schema/facts/queryWords.ts';
import { isContainer, type KnownKind, type WrittenKind } from '../../schema/record/kinds.ts';
import type { Problem } from '../../schema/record/problem.ts';
import { contextOf } from '../../schema/record/ref.ts';
import { refOf, type Surroundings } from './target.ts';

/** The org of links without one; its name does not matter. */
const someOrg = 'org';

/** Without `org`, which is not known before the provider is configured, the orgs of links are not checked. */
export interface ValidateInput extends Partial<Surroundings> {
  readonly kind: WrittenKind;
  readonly config: ObjectValue;
  /** Must include this kind (`loadValidators`). */
  readonly validators: Validators;
}

/** The problems of a configuration alone; nothing is concluded from unknown values. */
export function validateConfig({ kind, config, validators, org, gvc }: ValidateInput): readonly Diagnostic[] {
  const { record, unknowns, diagnostics: unwritable } = manifestOf(kind, config);
  const diagnostics = [
    ...unwritable,
    ...wrongChoice(kind, config, record),
    ...withoutValue(config),
    ...withoutVersion(config),
  ];
  const reported = compact(diagnostics, ({ path }) => path); // rules skip these
  const ref = refOf(kind, config, null, { org: org ?? someOrg, ...present({ gvc }) });
  // Short links in a GVC are resolved by its name.
  const isPlaced = attributeOf(config, 'name') !== unknown || !isContainer(kind);
  const context = isPlaced ? contextOf(ref, org ?? someOrg) : { org: org ?? someOrg };
  const found = [
    ...validateShape(validators, kind, record).filter(({ pointer }) => isKnownAt(unknowns, pointer)),
    ...checkPartialRecord(kind, record, unknowns, context, 'offline'),
  ];
  const judged = found.filter(({ rule }) => org !== undefined || rule !== 'link.org');
  const problems = compact(judged, (problem): Diagnostic | undefined => {
    if (isMissing(problem, hiddenField(kind))) return undefined; // an existing record keeps it; the plan requires it otherwise
    const path = attributePathOf(kind, problem.pointer, config);
    return reported.some((each) => startsWith(path, each)) ? undefined : problemDiagnostic(kind, problem, path);
  });
  return [...diagnostics, ...problems];
}

/** An empty `data_wo {}`: no other problem is reported for it, because a state contains such a block. */
function withoutValue(config: ObjectValue): readonly Diagnostic[] {
  const secret = attributeOf(config, writeOnly.data);
  if (secret === null || !isEmptyBlock(secret)) return [];
  const detail = 'Set the one that belongs to the type.';
  return [{ severity: 'error', summary: `${writeOnly.data} has no value`, detail, path: [writeOnly.data] }];
}

/** Terraform does not store the value, so only its version shows a change. */
function withoutVersion(config: ObjectValue): readonly Diagnostic[] {
  const secret = attributeOf(config, writeOnly.data);
  if (secret === null || secret === unknown || attributeOf(config, writeOnly.version) !== null) return [];
  return [
    {
      severity: 'error',
      summary: `${writeOnly.version} is missing`,
      detail: `Without it a change of ${writeOnly.data} would never be written. Set it to 1, and raise it with each new value.`,
      path: [writeOnly.version],
    },
  ];
}

function isMissing({ rule, pointer }: Problem, field: string | undefined): boolean {
  return rule === 'shape.required' && pointer.length === 1 && pointer[0] === field;
}

function startsWith(path: AttributePath, start: AttributePath): boolean {
  return start.length <= path.length && start.every((step, index) => path[index] === step);
}

/** A rule's problem in a record of the kind, at its attribute. */
export function problemDiagnostic(
  kind: KnownKind,
  { rule, message, hint, severity }: Problem,
  path: AttributePath,
): Diagnostic {
  const at = pathText(path);
  return {
    severity,
    summary: `${at === '' ? 'The resource' : at}: ${inAttributesOf(kind, message)}`,
    detail: compact([hint === undefined ? undefined : inAttributesOf(kind, hint), `(${rule})`]).join(' '),
    path,
  };
}

/** The problems in the configuration of a data source, which would otherwise read something else than intended. */
export function validateData(config: ObjectValue): readonly Diagnostic[] {
  return [...emptyName(config), ...queryProblems(attributeOf(config, 'query'))];
}

/** The address of a record without a name would be that of the list. */
function emptyName(config: ObjectValue): readonly Diagnostic[] {
  if (attributeOf(config, 'name') !== '') return [];
  const detail = 'Say which one to read. To read several, use the data source that lists them.';
  return [{ severity: 'error', summary: 'name is empty', detail, path: ['name'] }];
}

function queryProblems(query: Value): readonly Diagnostic[] {
  if (!isObjectValue(query)) return [];
  const sort = attributeOf(query, 'sort');
  const terms = attributeOf(query, 'terms');
  return [
    ...notOneOf(attributeOf(query, 'match'), queryMatches, 'way to match', ['query', 'match']),
    ...(isObjectValue(sort)
      ? notOneOf(attributeOf(sort, 'order'), queryOrders, 'order', ['query', 'sort', 'order'])
      : []),
    ...(isListValue(terms) ? terms : []).flatMap((term, index): readonly Diagnostic[] =>
      term === null
        ? [
            {
              severity: 'error',
              summary: 'A term of the query is null',
              detail: 'Without it more would be found. Leave it out of the list if that is meant.',
              path: ['query', 'terms', index],
            },
          ]
        : [],
    ),
  ];
}

function notOneOf(value: Value, allowed: readonly string[], what: string, path: AttributePath): readonly Diagnostic[] {
  if (typeof value !== 'string' || allowed.includes(value)) return [];
  const summary = `${JSON.stringify(value)} is no ${what}`;
  return [{ severity: 'error', summary, detail: `Use one of ${allowed.join(', ')}.`, path }];
}

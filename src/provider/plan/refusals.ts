import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import type { AttributePath, Diagnostic } from '../../hcl/diagnostic.ts';
import { resourceType } from '../../hcl/schema/names.ts';
import { ownNames, writeOnly } from '../../hcl/schema/ownAttributes.ts';
import { attributeOf, type ObjectValue, unknown } from '../../hcl/value.ts';
import { pathInAttributes } from '../../hcl/values/attributePath.ts';
import { pathText } from '../../hcl/values/manifestOf.ts';
import { hiddenField, isUndeletable, kindFacts } from '../../kinds/kindFacts.ts';
import { normalise } from '../../kinds/normalise.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import { fieldChanges } from '../../patch/fieldChanges.ts';
import { bySchema } from '../../patch/shouldMask.ts';
import { assessRisk } from '../../plan/consequences/risk.ts';
import { dataIn } from '../../plan/model/dataLoss.ts';
import { makeDraft } from '../../plan/model/draft.ts';
import { type Risk, worse } from '../../schema/facts/risk.ts';
import { isContainer, isCreatableKind, isGvcScoped, isOrg, type WrittenKind } from '../../schema/record/kinds.ts';
import { formatRef, type Ref } from '../../schema/record/ref.ts';
import { refOf, type Surroundings, type Target } from './target.ts';

/** A resource in a GVC needs a GVC. */
export function missingGvc(kind: WrittenKind, config: ObjectValue, ref: Ref): readonly Diagnostic[] {
  if (!isGvcScoped(kind) || ref.gvc !== undefined || attributeOf(config, ownNames.gvc) === unknown) return [];
  return [
    {
      severity: 'error',
      summary: `gvc is missing`,
      detail: `A ${resourceType(kind)} is in a GVC. Set gvc here, or in the provider block.`,
      path: [ownNames.gvc],
    },
  ];
}

/** A secret needs a value when it is created; an existing one keeps its value. */
export function missingSecret(kind: WrittenKind, config: ObjectValue): readonly Diagnostic[] {
  const field = hiddenField(kind);
  const isSaid = [writeOnly.data, field].some((name) => name !== undefined && attributeOf(config, name) !== null);
  if (field === undefined || isSaid) return [];
  return [
    {
      severity: 'error',
      summary: `${field} is missing`,
      detail: `A new ${resourceType(kind)} needs ${field}, or ${writeOnly.data} with ${writeOnly.version}. One that exists is imported without it.`,
      path: [field],
    },
  ];
}

/** The objections to the deletion of a resource, according to its last state. */
export function deletionDiagnostics(
  kind: WrittenKind,
  prior: ObjectValue,
  { maxRisk, ...surroundings }: Surroundings & { readonly maxRisk: Risk | undefined },
): readonly Diagnostic[] {
  const id = formatRef(refOf(kind, prior, prior, surroundings));
  const { delete: risk } = kindFacts(kind).risks;
  return [
    ...(isForgotten(kind, prior)
      ? [warning(`${id} is not deleted, only forgotten`, 'The platform never deletes it: it stays as it is.')]
      : [
          ...guarded(id, prior, 'deleted'),
          ...(isContainer(kind)
            ? [warning(`Everything in ${id} is deleted with it`, 'Resources in it that others made are counted first.')]
            : []),
          ...(maxRisk !== undefined && worse(risk, maxRisk) !== maxRisk ? [tooRisky(id, risk, maxRisk)] : []),
        ]),
  ];
}

/** The objections to deleting a resource and creating it again. */
export function replacementDiagnostics(
  kind: WrittenKind,
  prior: ObjectValue,
  paths: readonly AttributePath[],
): readonly Diagnostic[] {
  const id = formatRef(refOf(kind, prior, prior, { org: '' }));
  const [path = []] = paths;
  const names = paths.map(pathText).join(', ');
  if (isForgotten(kind, prior)) {
    const detail = `The platform never deletes it, and ${names} cannot be changed in place. Undo the change.`;
    return [{ severity: 'error', summary: `${id} cannot be replaced`, detail, path }];
  }
  const what = `replaced, which a change of ${names} takes`;
  const renamed = paths.some(([first]) => first === 'name');
  return [
    ...guarded(id, prior, what),
    ...(renamed
      ? [
          {
            ...warning(
              `${id} is renamed by deleting it and creating another one`,
              'Names cannot be changed on the platform. A moved block changes its address in Terraform alone.',
            ),
            path,
          },
        ]
      : []),
  ];
}

/** Whether the platform never deletes it, so that it is only removed from the state. */
export function isForgotten(kind: WrittenKind, prior: ObjectValue): boolean {
  const origin = attributeOf(prior, 'origin');
  return isOrg(kind) || isUndeletable(kind, typeof origin === 'string' ? { origin } : {});
}

function guarded(id: string, prior: ObjectValue, what: string): readonly Diagnostic[] {
  if (attributeOf(prior, ownNames.protected) !== true) return [];
  const detail = `It would be ${what}. Apply protected = false first.`;
  return [{ severity: 'error', summary: `${id} is protected`, detail, path: [ownNames.protected] }];
}

export interface Loss {
  readonly kind: WrittenKind;
  readonly prior: ObjectValue;
  /** The values that may set `allow_data_loss`: the configuration for a replacement, the state for a deletion. */
  readonly allowedBy: ObjectValue;
  /** The attributes that force its replacement; empty for a deletion. */
  readonly paths: readonly AttributePath[];
  /** The record as it is now. */
  readonly live: JsonObject;
}

/** The data that is lost when a resource is deleted or replaced. */
export function dataLoss({ kind, prior, allowedBy, paths, live }: Loss): readonly Diagnostic[] {
  if (attributeOf(allowedBy, ownNames.allowDataLoss) === true) return [];
  const data = dataIn(kind, live);
  if (data === undefined) return [];
  const [path] = paths;
  const what = path === undefined ? 'deleted' : `replaced, which a change of ${paths.map(pathText).join(', ')} takes`;
  return [
    {
      severity: 'error',
      summary: `The data of ${formatRef(refOf(kind, prior, prior, { org: '' }))} would be lost`,
      detail: `It would be ${what}: ${data}. To allow it, apply allow_data_loss = true first.`,
      ...present({ path }),
    },
  ];
}

function warning(summary: string, detail: string): Diagnostic {
  return { severity: 'warning', summary, detail };
}

interface RiskInput {
  readonly kind: WrittenKind;
  readonly prior: ObjectValue | null;
  readonly target: Target;
  readonly replaces: boolean;
  readonly maxRisk: Risk | undefined;
  readonly org: string;
}

/** Up to this risk, a change gets no warning. */
const ordinary: Risk = 'reschedule';

/** The risk of a change as a warning, or as a refusal if the provider block sets a limit. */
export function riskDiagnostics(input: RiskInput): readonly Diagnostic[] {
  const { prior, target, maxRisk } = input;
  const id = formatRef(target.ref);
  const { risk, fields } = riskOf(input);
  const isBeyond = maxRisk !== undefined && worse(risk, maxRisk) !== maxRisk;
  if (isBeyond) return [tooRisky(id, risk, maxRisk, fields)];
  if (prior === null || worse(risk, ordinary) === ordinary) return [];
  return [{ severity: 'warning', summary: `The change may cause ${risk}`, detail: because(id, fields) }];
}

function riskOf({ kind, prior, target, replaces, org }: RiskInput): {
  readonly risk: Risk;
  readonly fields: readonly string[];
} {
  const { ref, before, after, context } = target;
  if (prior !== null && !replaces && before === after && !target.writesSecret) return { risk: 'none', fields: [] };
  const shape = shapeOf(kind, after);
  const next = replaces ? normalise(kind, target.desired, context) : after;
  const id = formatRef(ref);
  const declared = { id, record: target.desired, lifecycle: {}, locate: () => ({ file: '', line: 0, column: 0 }) };
  const action = prior === null ? 'create' : replaces ? 'replace' : 'patch';
  const draft = makeDraft(
    { id, ref, ...(isCreatableKind(kind) ? { desired: { ...declared, ref: { ...ref, kind } } } : {}) },
    { action, reason: '', fields: fieldChanges(bySchema(shape), before, next, context) },
  );
  const { risk = 'none', fields } = assessRisk(draft, org);
  return {
    risk,
    fields: fields.filter((field) => field.risk === risk).map(({ path }) => pathInAttributes(kind, path)),
  };
}

function tooRisky(id: string, risk: Risk, maxRisk: Risk, fields: readonly string[] = []): Diagnostic {
  return {
    severity: 'error',
    summary: `The risk of the change is ${risk}, greater than ${maxRisk}`,
    detail: `${because(id, fields)} To allow it, set max_risk = "${risk}" in the provider block.`,
  };
}

function because(id: string, fields: readonly string[]): string {
  if (fields.length === 0) return `${id}: the change as a whole.`;
  const shown = fields.slice(0, 5).join(', ');
  return `${id}: ${shown}${fields.length > 5 ? ` and ${fields.length - 5} more` : ''}.`;
}

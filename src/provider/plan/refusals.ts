import type { JsonObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import type { AttributePath, Diagnostic } from '../../hcl/diagnostic.ts';
import { own, writeOnly } from '../../hcl/schema/ownAttributes.ts';
import { resourceType } from '../../hcl/schema/typeNames.ts';
import { attributeOf, type ObjectValue, unknown } from '../../hcl/value.ts';
import { pathText } from '../../hcl/values/manifestOf.ts';
import { hiddenField, isUndeletable, kindFacts } from '../../kinds/kindFacts.ts';
import { dataIn } from '../../plan/model/dataLoss.ts';
import { type Risk, worse } from '../../schema/facts/risk.ts';
import { isContainer, isGvcScoped, isOrg, type WrittenKind } from '../../schema/record/kinds.ts';
import { formatRef, type Ref } from '../../schema/record/ref.ts';
import { tooRisky } from './riskDiagnostics.ts';
import { refOf, type Surroundings } from './target.ts';

/** A resource that lives in a GVC needs one. */
export function missingGvc(kind: WrittenKind, config: ObjectValue, ref: Ref): readonly Diagnostic[] {
  if (!isGvcScoped(kind) || ref.gvc !== undefined || attributeOf(config, own.gvc) === unknown) return [];
  return [
    {
      severity: 'error',
      summary: `gvc is missing`,
      detail: `A ${resourceType(kind)} is in a GVC. Set gvc here, or in the provider block.`,
      path: [own.gvc],
    },
  ];
}

/** The value of a secret has to be said when it is made; one that is there keeps what it has. */
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

/** The objections to the deletion of a resource, as far as its last state tells. */
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

/** The platform never deletes it: only the state forgets it. */
export function isForgotten(kind: WrittenKind, prior: ObjectValue): boolean {
  const origin = attributeOf(prior, 'origin');
  return isOrg(kind) || isUndeletable(kind, typeof origin === 'string' ? { origin } : {});
}

function guarded(id: string, prior: ObjectValue, what: string): readonly Diagnostic[] {
  if (attributeOf(prior, own.protected) !== true) return [];
  const detail = `It would be ${what}. Apply protected = false first.`;
  return [{ severity: 'error', summary: `${id} is protected`, detail, path: [own.protected] }];
}

export interface Loss {
  readonly kind: WrittenKind;
  readonly prior: ObjectValue;
  /** The values that may say `allow_data_loss`: the configuration of what is replaced, the state of what is deleted. */
  readonly allowedBy: ObjectValue;
  /** The attributes that force its replacement; empty: it is deleted. */
  readonly paths: readonly AttributePath[];
  /** The record as it is now. */
  readonly live: JsonObject;
}

/** The data that is lost with a resource that is deleted or replaced. */
export function dataLoss({ kind, prior, allowedBy, paths, live }: Loss): readonly Diagnostic[] {
  if (attributeOf(allowedBy, own.allowDataLoss) === true) return [];
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

import type { Diagnostic } from '../../hcl/diagnostic.ts';
import type { ObjectValue } from '../../hcl/value.ts';
import { pathInAttributes } from '../../hcl/values/attributePath.ts';
import { normalise } from '../../kinds/normalise.ts';
import { shapeOf } from '../../kinds/shapeOf.ts';
import { fieldChanges } from '../../patch/fieldChanges.ts';
import { bySchema } from '../../patch/sensitivity.ts';
import { assessRisk } from '../../plan/consequences/risk.ts';
import { makeDraft } from '../../plan/model/draft.ts';
import { type Risk, worse } from '../../schema/facts/risk.ts';
import { isCreatableKind, type WrittenKind } from '../../schema/record/kinds.ts';
import { formatRef } from '../../schema/record/ref.ts';
import type { Target } from './target.ts';

export interface RiskInput {
  readonly kind: WrittenKind;
  readonly prior: ObjectValue | null;
  readonly target: Target;
  readonly replaces: boolean;
  readonly maxRisk: Risk | undefined;
  readonly org: string;
}

/** A change up to this risk is an ordinary one, and not warned of. */
const ordinary: Risk = 'reschedule';

/** The risk of a change as a warning, or as a refusal where the provider block sets a limit. */
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

export function tooRisky(id: string, risk: Risk, maxRisk: Risk, fields: readonly string[] = []): Diagnostic {
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

import { compareText } from '../../base/text/compareText.ts';
import { type Risk, risks, worse } from '../../schema/facts/risk.ts';
import type { ResourceId } from '../../schema/record/ref.ts';
import { planRisk } from '../impact/risk.ts';
import type { Refusal } from '../model/change.ts';
import type { Draft } from '../model/draft.ts';
import type { PlanContext } from '../model/planContext.ts';
import { refuse } from '../model/refusal.ts';
import { isOwned } from '../record/ownership.ts';
import { type Renamings, renamingsOf } from '../rename/rename.ts';

/** Refusals that no single resource is to blame for. */
export function refusePlan(
  drafts: ReadonlyMap<ResourceId, Draft>,
  bystanders: number,
  planning: PlanContext,
): readonly Refusal[] {
  const { options, desired } = planning;
  const changed = [...drafts.values()].filter(({ action }) => action !== 'keep');
  const replaced = changed.filter(({ action }) => action === 'replace').length;
  const deleted = changed.filter(({ action }) => action === 'delete').length + bystanders + replaced;
  const removed = changed.filter(isRemoval).length;
  const { maxDeletes, maxChanges, maxRisk } = options;
  const others = isOtherProject(changed, planning, renamingsOf(planning)) ? removed : 0;
  return [
    ...(desired.size === 0 && removed > 0 && !options.allowEmpty ? [refuse.emptyStack(removed)] : []),
    ...(others > 0 ? [refuse.otherProject(options.owner, others)] : []),
    ...(maxDeletes !== undefined && deleted > maxDeletes ? [refuse.tooMany(deleted, replaced, maxDeletes)] : []),
    ...(maxChanges !== undefined && changed.length > maxChanges
      ? [refuse.tooManyChanges(changed.length, maxChanges)]
      : []),
    ...(maxRisk === undefined ? [] : riskRefusals(changed, maxRisk)),
    ...gapRefusals(planning),
  ];
}

/** Who deletes all that a stack has must know all that it has. */
function gapRefusals({ options, snapshot: { gaps } }: PlanContext): readonly Refusal[] {
  if (gaps === undefined) return [];
  if (options.destroys === true) return options.allowUnseen === true ? [] : [refuse.destroyUnlisted(gaps)];
  return options.prune === true ? [refuse.pruneUnlisted(gaps)] : [];
}

/**
 * Would a stack without a project delete what carries its name, although nothing that it declares does, or takes the
 * place of something that does? Only a whole stack deletes, and loose manifests with `--prune`.
 */
function isOtherProject(
  changed: readonly Draft[],
  { options, desired, snapshot, ownership, claims }: PlanContext,
  renamings: Renamings,
): boolean {
  const declared = options.declaredHere ?? [...desired.keys()];
  if (options.unqualified !== true || declared.length === 0) return false;
  if (!changed.some(isRemoval) || renamings.byNew.size > 0) return false;
  return !declared.some((id) => {
    const live = snapshot.resources.get(id);
    return (
      snapshot.unfinished?.has(id) === true ||
      (live !== undefined && (isOwned(ownership(live)) || claims(live).mine !== undefined))
    );
  });
}

/** The refusal of an empty stack: also to its parts of what belongs to others. */
function isRemoval({ action, part, desired }: Draft): boolean {
  return action === 'delete' || action === 'forget' || (part === true && action === 'patch' && desired === undefined);
}

function riskRefusals(changed: readonly Draft[], maxRisk: Risk): readonly Refusal[] {
  const beyond = changed
    .filter(({ risk = 'none' }) => risk !== maxRisk && worse(risk, maxRisk) === risk)
    .sort((a, b) => severity(b) - severity(a) || compareText(a.id, b.id));
  if (beyond.length === 0) return [];
  const shown = beyond.map(({ id, risk = 'none' }) => `${id} (${risk})`);
  return [refuse.tooRisky(shown, maxRisk, planRisk(beyond))];
}

function severity({ risk = 'none' }: Draft): number {
  return risks.indexOf(risk);
}

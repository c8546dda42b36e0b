import { type LocatedProblem, sortProblems } from '../manifest/model/locatedProblem.ts';
import { desiredGraph, type ResourceGraph } from '../plan/order/desiredGraph.ts';
import { graphProblems } from '../plan/order/orderChanges.ts';
import { undeclaredReferences } from '../plan/references/declaredLinks.ts';
import { openPolicies } from '../policies/sandbox/openPolicies.ts';
import { loadDialect } from '../project/platform/dialectFile.ts';
import type { Session } from '../project/session/session.ts';
import type { ResourceId } from '../schema/record/ref.ts';
import type { Validation } from './gantry.ts';
import { type CheckedInputs, type CheckInputsOptions, checkInputs, loadManifests } from './loading/loadStack.ts';

/**
 * All problems of the inputs, by the rules and by the policies; only valid inputs are passed to policies. Needs no
 * platform; values from outside are not read.
 */
export async function validate(
  session: Session,
  paths: readonly string[],
  loading: CheckInputsOptions = {},
): Promise<Validation & { readonly notes: readonly string[]; readonly declared: readonly ResourceId[] }> {
  const checked = await checkInputs(session, paths, 'unread', loading);
  const { desired, project, declaredIn } = checked;
  const problems = [...checked.problems, ...openProblems(checked)];
  const isWrong = problems.some(({ severity }) => severity === 'error');
  const own = new Set<string>(desired.map(({ id }) => id));
  const others = new Set<string>([...declaredIn.keys()].filter((id) => !own.has(id)));
  const policies = isWrong ? undefined : await openPolicies(session, project);
  const verdict = await policies?.judge({ desired, isElsewhere: (resource) => others.has(resource) });
  await loadDialect(project.settings.dialect); // finds its problems before a plan
  const all = sortProblems([...problems, ...(verdict?.problems ?? [])]);
  const valid = all.every(({ severity }) => severity !== 'error');
  const declared = desired.map(({ id }) => id);
  return { valid, resources: declared.length, declared, problems: all, notes: verdict?.notes ?? [] };
}

/**
 * The problems that a plan would find in references and order, if they can be found without a platform. An undeclared
 * target may be in a file that cannot be read.
 */
function openProblems({ all, org, problems, scope }: CheckedInputs): readonly LocatedProblem[] {
  const found = graphProblems(all, org);
  if (problems.some(({ severity }) => severity === 'error')) return found;
  return [...found, ...undeclaredReferences(all, { org, isWhole: scope === 'whole' })];
}

/** The references between declared resources, without reading live records. Errors: `input.invalid`. */
export async function graph(
  session: Session,
  paths: readonly string[],
  loading: CheckInputsOptions = {},
): Promise<ResourceGraph> {
  const { desired, org } = await loadManifests(session, paths, 'unread', loading);
  return desiredGraph(desired, org);
}

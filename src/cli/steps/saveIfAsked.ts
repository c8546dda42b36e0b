import type { NewPlan, StoredPlan } from '../../gantry/gantry.ts';
import type { Signing } from '../../signing/signPlan.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { GlobalOptions } from '../../terminal/options.ts';

interface Saving {
  /** Absolute: the base of the inputs' paths. */
  readonly from: string;
  /** Undefined if the plan is not signed. */
  readonly signing: Signing | undefined;
}

type SaveContext = CommandContext<GlobalOptions & { readonly out?: string }>;

/** `--out FILE`. If a plan is refused, no plan of its run is saved, so that it cannot be applied. */
export async function saveIfAsked(
  plans: readonly (NewPlan | StoredPlan)[],
  context: SaveContext,
  { from, signing }: Saving,
): Promise<void> {
  const { options, terminal } = context;
  const { out } = options;
  const [first] = plans;
  if (out === undefined || first === undefined) return;
  const subject = plans.length === 1 ? 'The plan is' : 'The plans are';
  const refused = plans.filter((each) => each.refused !== undefined).map(({ plan }) => plan.stack);
  if (refused.length > 0) {
    const of = plans.length === 1 ? 'The plan' : `The plan of ${refused.join(', ')}`;
    terminal.message(`${of} is refused, so ${plans.length === 1 ? 'it was not' : 'no plan was'} saved to ${out}.`);
    return;
  }
  const { save } = await import('../../gantry/saved.ts');
  const onSaved = () => terminal.message(`${subject} saved in ${out}.`);
  const signed = await save(context, plans, out, { signing, onSaved });
  if (signed !== undefined) {
    const { signatureFileOf } = await import('../../signing/signatureFile.ts');
    const { key, expiresAt } = signed;
    terminal.message(
      `It is signed with ${key} until ${expiresAt}, in ${signatureFileOf(out)}: keep both files together.`,
    );
  }
  const later = plans.reduce((sum, { plan }) => sum + (plan.waiting?.length ?? 0), 0);
  if (later > 0) {
    const what = later === 1 ? '1 deletion waits' : `${later} deletions wait`;
    terminal.message(
      `${what} for another stack, and ${later === 1 ? 'is' : 'are'} not in the file: plan again when it is applied.`,
    );
  }
  const { applyLines } = await import('./applyCommand.ts');
  const { settings } = first;
  const { paths } = 'saved' in first ? first.saved.inputs : first.inputs;
  terminal.message((await applyLines({ file: out, paths, from, settings }, context)).join('\n'));
}

import type { Settings } from '../../automation/settings/settings.ts';
import type { Signing } from '../../automation/signing/signPlan.ts';
import type { ToSignSaved } from '../../automation/signing/signSaved.ts';
import type { SavedInputs } from '../../plan/saved/savedPlan.ts';
import type { PlanToSave } from '../../plan/saved/savedPlanOf.ts';
import type { CommandContext } from '../line/context.ts';
import type { GlobalOptions } from '../line/options.ts';

interface Saving {
  readonly inputs: SavedInputs;
  /** Absolute: where the paths of the inputs begin. */
  readonly from: string;
  readonly refused: boolean;
  /** A signature says where the plan may be applied. */
  readonly settings: Settings;
  /** Undefined: the plan is not signed. */
  readonly signing: Signing | undefined;
}

type SaveContext = CommandContext<GlobalOptions & { readonly out?: string }>;

/** `--out FILE`. A refused plan is not saved, so that nobody can apply it. */
export async function saveIfAsked(planned: PlanToSave, context: SaveContext, saving: Saving): Promise<void> {
  const { options, terminal } = context;
  const { out } = options;
  if (out === undefined) return;
  if (saving.refused) {
    terminal.message(`The plan is refused, so it was not saved to ${out}.`);
    return;
  }
  const { savePlan } = await import('../../automation/savedPlan/file.ts');
  const bytes = await savePlan(planned, saving.inputs, out, context);
  terminal.message(`The plan is saved in ${out}.`);
  if (saving.signing !== undefined)
    terminal.message(await sign({ plan: planned.plan, bytes, path: out }, saving.signing, context, saving));
  const { applyLines } = await import('./applyCommand.ts');
  const { inputs, from, settings } = saving;
  terminal.message((await applyLines({ file: out, paths: inputs.paths, from, settings }, context)).join('\n'));
}

async function sign(
  saved: Pick<ToSignSaved, 'plan' | 'bytes' | 'path'>,
  signing: Signing,
  { cwd, options: { embedded } }: SaveContext,
  { settings }: Saving,
): Promise<string> {
  const [{ signSaved }, { signatureFileOf }] = await Promise.all([
    import('../../automation/signing/signSaved.ts'),
    import('../../automation/signing/signatureFile.ts'),
  ]);
  const { key, expiresAt } = await signSaved({ ...saved, cwd, settings, embedded }, signing);
  return `It is signed with ${key} until ${expiresAt}, in ${signatureFileOf(saved.path)}: keep both files together.`;
}

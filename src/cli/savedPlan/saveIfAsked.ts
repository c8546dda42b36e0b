import type { SavedInputs } from '../../change/saved/savedPlan.ts';
import type { PlanToSave } from '../../change/saved/savedPlanOf.ts';
import type { Settings } from '../../project/settings/settings.ts';
import type { Signing } from '../../signing/signPlan.ts';
import type { ToSignSaved } from '../../signing/signSaved.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { GlobalOptions } from '../../terminal/line/options.ts';

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
  const { savePlan } = await import('../../gantry/savedPlan/file.ts');
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
    import('../../signing/signSaved.ts'),
    import('../../signing/signatureFile.ts'),
  ]);
  const { key, expiresAt } = await signSaved({ ...saved, cwd, settings, embedded }, signing);
  return `It is signed with ${key} until ${expiresAt}, in ${signatureFileOf(saved.path)}: keep both files together.`;
}

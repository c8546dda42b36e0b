import type { SavedInputs } from '../../change/saved/savedPlan.ts';
import type { NewPlan, StoredPlan } from '../../gantry/gantry.ts';
import type { Signing } from '../../signing/signPlan.ts';
import type { ToSignSaved } from '../../signing/signSaved.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { GlobalOptions } from '../../terminal/line/options.ts';

interface Saving {
  readonly inputs: SavedInputs;
  /** Absolute: where the paths of the inputs begin. */
  readonly from: string;
  /** Undefined: the plan is not signed. */
  readonly signing: Signing | undefined;
}

type SaveContext = CommandContext<GlobalOptions & { readonly out?: string }>;

/** `--out FILE`. A refused plan is not saved, so that nobody can apply it. */
export async function saveIfAsked(
  made: NewPlan | StoredPlan,
  context: SaveContext,
  { inputs, from, signing }: Saving,
): Promise<void> {
  const { options, terminal } = context;
  const { out } = options;
  if (out === undefined) return;
  if (made.refused !== undefined) {
    terminal.message(`The plan is refused, so it was not saved to ${out}.`);
    return;
  }
  const { save } = await import('../../gantry/saved.ts');
  const { plan, settings } = made;
  const bytes = await save(context, made, out);
  terminal.message(`The plan is saved in ${out}.`);
  if (signing !== undefined) {
    const { cwd } = context;
    const saved = { plan, bytes, path: out, cwd, settings, embedded: options.embedded };
    terminal.message(await sign(saved, signing));
  }
  const { applyLines } = await import('./applyCommand.ts');
  terminal.message((await applyLines({ file: out, paths: inputs.paths, from, settings }, context)).join('\n'));
}

async function sign(saved: ToSignSaved, signing: Signing): Promise<string> {
  const [{ signSaved }, { signatureFileOf }] = await Promise.all([
    import('../../signing/signSaved.ts'),
    import('../../signing/signatureFile.ts'),
  ]);
  const { key, expiresAt } = await signSaved(saved, signing);
  return `It is signed with ${key} until ${expiresAt}, in ${signatureFileOf(saved.path)}: keep both files together.`;
}

import { present } from '../../base/json/present.ts';
import { planToJson } from '../../change/documents/planDocument.ts';
import { openPlanFile } from '../../gantry/savedPlan/file.ts';
import { explainableOf } from '../../gantry/savedPlan/options.ts';
import { lastingNotes } from '../../plan/makePlan.ts';
import type { Trust } from '../../project/session/session.ts';
import { checkWithKeys } from '../../signing/checkWithKeys.ts';
import { requiredSignatures, requireSignatures } from '../../signing/requiredApprovals.ts';
import { type ShownSignature, signaturesToJson, uncheckedSignature } from '../../signing/signatureDocument.ts';
import { readSignatures } from '../../signing/signatureFile.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type { OutputOptions, PlanTextOptions } from '../../terminal/options.ts';
import { show } from '../../terminal/show.ts';
import { planText } from '../output/showPlan.ts';
import { eachStack } from '../steps/eachStack.ts';
import { renderSignatures } from '../steps/signatureText.ts';

export interface ShowOptions extends OutputOptions, PlanTextOptions, Trust {
  readonly open?: boolean;
}

/**
 * Shows a saved plan as `plan` printed it, with its signatures. Needs no platform and no manifests, and checks the file
 * like `apply`; if its signatures do not suffice, that is an error after the plan is shown.
 */
export async function runShow(context: CommandContext<ShowOptions>, file: string): Promise<Ending> {
  if (context.options.open !== true) return showSaved(context, file);
  const { openReport } = await import('../output/openReport.ts');
  return openReport('show', isTextAsked(context.options) ? context : withoutText(context), (inner) =>
    showSaved(inner, file),
  );
}

/**
 * The page has the same content, and the text would push its address away: text is only shown if its form was chosen.
 */
function isTextAsked({ patch, compact, full }: PlanTextOptions): boolean {
  return patch || compact || full;
}

function withoutText(context: CommandContext<ShowOptions>): CommandContext<ShowOptions> {
  return { ...context, terminal: { ...context.terminal, page: async () => undefined, result: () => undefined } };
}

async function showSaved(context: CommandContext<ShowOptions>, file: string): Promise<Ending> {
  const { plans, bytes } = await openPlanFile(file, context);
  const envelopes = await readSignatures(file, context.cwd);
  const required = requiredSignatures({ trust: context.options });
  const isChecked = required.signature || required.approvals > 0;
  const checked = isChecked
    ? await checkWithKeys(envelopes, { bytes, target: undefined, trust: context.options }, context.cwd)
    : undefined;
  const signatures: readonly ShownSignature[] =
    checked ?? envelopes.map(({ statement }) => uncheckedSignature(statement, bytes, Date.now()));
  const isApproved = signatures.some(({ statement }) => statement.role === 'approval');
  await eachStack(plans, context, { count: plans.length, isPaged: true }, async (saved, each) => {
    const { plan: planned, declared, inputs } = saved;
    const plan = isApproved ? { ...planned, notes: lastingNotes(planned.notes) } : planned;
    const { paths: _, ...named } = inputs;
    await each.tell({ type: 'project', names: { org: plan.org, stack: plan.stack, ...named } });
    await each.tell({ type: 'plan', plan, from: explainableOf(saved) });
    await show(each, {
      async text() {
        const text = await planText(plan, each);
        return signatures.length === 0 || saved !== plans.at(-1)
          ? text
          : `${text}\n\n${renderSignatures(signatures, file, each.terminal.palette)}`;
      },
      document: () => ({
        ...planToJson(plan, declared),
        ...present({ signatures: signatures.length === 0 ? undefined : signaturesToJson(signatures) }),
      }),
    });
    return exitCode.ok;
  });
  requireSignatures(checked ?? [], required);
  return exitCode.ok;
}

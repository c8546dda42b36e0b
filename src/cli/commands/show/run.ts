import { openPlanFile } from '../../../automation/savedPlan/file.ts';
import { checkWithKeys } from '../../../automation/signing/checkWithKeys.ts';
import { demandSignatures } from '../../../automation/signing/demandSignatures.ts';
import { demandsOf } from '../../../automation/signing/demandsOf.ts';
import {
  type ShownSignature,
  signaturesToJson,
  uncheckedSignature,
} from '../../../automation/signing/signatureDocument.ts';
import { readSignatures } from '../../../automation/signing/signatureFile.ts';
import type { Trust } from '../../../automation/signing/trust.ts';
import { planToJson } from '../../../plan/documents/planToJson.ts';
import type { Ending } from '../../answer/ending.ts';
import { show } from '../../answer/show.ts';
import type { CommandContext } from '../../line/context.ts';
import type { OutputOptions, PlanTextOptions } from '../../line/options.ts';
import { planText } from '../../planText/showPlan.ts';
import { exitCode } from '../../process/exitCode.ts';
import { proveSaved } from '../../savedPlan/proveSaved.ts';
import { renderSignatures } from '../../savedPlan/signatureText.ts';

export interface ShowOptions extends OutputOptions, PlanTextOptions, Trust {
  readonly open?: boolean;
}

/**
 * A saved plan, as `plan` printed it, with its signatures. It needs no platform and no manifests, and checks the file as
 * `apply` does; what is demanded of signatures is an error after the plan is shown.
 */
export async function runShow(context: CommandContext<ShowOptions>, file: string): Promise<Ending> {
  if (context.options.open !== true) return showSaved(context, file);
  const { openReport } = await import('../../reports/openReport.ts');
  return openReport('show', isTextAsked(context.options) ? context : withoutText(context), (inner) =>
    showSaved(inner, file),
  );
}

/** The page says the same, and the address would be lost below it: text is for whoever chooses its form. */
function isTextAsked({ patch, compact, full }: PlanTextOptions): boolean {
  return patch || compact || full;
}

function withoutText(context: CommandContext<ShowOptions>): CommandContext<ShowOptions> {
  return { ...context, terminal: { ...context.terminal, result: () => undefined } };
}

async function showSaved(context: CommandContext<ShowOptions>, file: string): Promise<Ending> {
  const { saved, bytes } = await openPlanFile(file, context);
  const { plan, declared, inputs } = saved;
  const { paths: _, ...named } = inputs;
  context.onProject?.({ org: plan.org, stack: plan.stack, ...named });
  await proveSaved(saved, context);
  const envelopes = await readSignatures(file, context.cwd);
  const demands = demandsOf({ trust: context.options });
  const isChecked = demands.signature || demands.approvals > 0;
  const checked = isChecked
    ? await checkWithKeys(envelopes, { bytes, target: undefined, trust: context.options }, context.cwd)
    : undefined;
  const signatures: readonly ShownSignature[] =
    checked ?? envelopes.map(({ statement }) => uncheckedSignature(statement, bytes, Date.now()));
  await show(context, {
    async text() {
      const text = await planText(plan, context);
      return signatures.length === 0
        ? text
        : `${text}\n\n${renderSignatures(signatures, file, context.terminal.palette)}`;
    },
    document: () => ({
      ...planToJson(plan, declared),
      ...(signatures.length === 0 ? {} : { signatures: signaturesToJson(signatures) }),
    }),
  });
  demandSignatures(checked ?? [], demands);
  return exitCode.ok;
}

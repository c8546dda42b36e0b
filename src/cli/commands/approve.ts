import { ToolError } from '../../base/toolError.ts';
import { openApproval } from '../../gantry/savedPlan/openApproval.ts';
import type { Plan } from '../../plan/model/plan.ts';
import type { Trust } from '../../project/session/session.ts';
import { hasKeysFor } from '../../project/settings/signers.ts';
import { checkWithKeys } from '../../signing/checkWithKeys.ts';
import { objectionText } from '../../signing/requiredApprovals.ts';
import { type ShownSignature, signaturesToJson, uncheckedSignature } from '../../signing/signatureDocument.ts';
import { readSignatures, signatureFileOf } from '../../signing/signatureFile.ts';
import { readSigningKey } from '../../signing/signingKey.ts';
import type { Target } from '../../signing/statement.ts';
import { ask, noTerminal } from '../../terminal/ask.ts';
import type { CommandContext } from '../../terminal/context.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import type { AskOptions, GlobalOptions, PlanTextOptions, SignOptions } from '../../terminal/options.ts';
import { show } from '../../terminal/show.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { planText, shortPlanText } from '../output/showPlan.ts';
import { renderSignatures, targetText } from '../steps/signatureText.ts';

export interface ApproveOptions extends GlobalOptions, AskOptions, PlanTextOptions, SignOptions, Trust {}

type ApproveContext = CommandContext<ApproveOptions>;

/** Adds a user's approval of a saved plan to its signatures. Sends nothing to the platform. */
export async function runApprove(context: ApproveContext, file: string): Promise<Ending> {
  const { cwd, options } = context;
  if (options.sign === undefined) {
    throw new UsageError(
      'an approval is a signature',
      'Give --sign KEYFILE: a private key, which is not the one of the plan.',
    );
  }
  const signing = { key: await readSigningKey(options.sign, context), validForMs: options.validFor };
  const approval = await openApproval(file, { signing, trust: options }, context);
  const { plans, bytes, target, signers } = approval;
  await confirm(
    plans.map(({ plan }) => plan),
    target,
    context,
  );
  await approval.sign();
  const isChecked = {
    plan: options.signedBy !== undefined || hasKeysFor(signers, 'plan'),
    approval: options.approvedBy !== undefined || hasKeysFor(signers, 'approval'),
  };
  const signatures = await checkWithKeys(
    await readSignatures(file, cwd),
    { bytes, target, signers, trust: options },
    cwd,
  );
  const after = signatures.map((signature) =>
    isChecked[signature.statement.role] ? signature : uncheckedSignature(signature.statement, bytes, Date.now()),
  );
  await show(context, {
    text: () =>
      `${renderSignatures(after, file, context.terminal.palette)}\n\n${ownText(after, signing.key.fingerprint)}`,
    document: () => ({ plan: file, file: signatureFileOf(file), signatures: signaturesToJson(after) }),
  });
  return exitCode.ok;
}

/** The state of the signature that this key has just added. */
function ownText(signatures: readonly ShownSignature[], key: string): string {
  const own = signatures.findLast(({ statement }) => statement.role === 'approval' && statement.key === key);
  if (own?.objection === undefined) return `Approved with ${key}.`;
  return `Signed with ${key}, which does not count as an approval: ${objectionText(own.objection)}.`;
}

/** Errors: `saved.not-approved`. */
async function confirm(plans: readonly Plan[], target: Target, context: ApproveContext): Promise<void> {
  const { options, terminal } = context;
  const text = (await Promise.all(plans.map((plan) => planText(plan, context)))).join('\n\n');
  if (options.output === 'text') terminal.result(text);
  else if (!options.yes) terminal.message(text);
  if (options.yes) return;
  if (!terminal.canAsk) {
    throw new ToolError({
      code: 'saved.not-approved',
      message: `${noTerminal}; nothing was signed`,
      hint: 'Review the plan, then add --yes.',
    });
  }
  const question = `\n${plans.map((plan) => shortPlanText(plan, context)).join('\n')}\nApprove this ${targetText(target)}? (yes/no) `;
  if (!(await ask(question)))
    throw new ToolError({ code: 'saved.not-approved', message: 'it was not approved; nothing was signed' });
}

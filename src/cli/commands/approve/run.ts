import { openPlanFile } from '../../../automation/savedPlan/file.ts';
import { openSavedProject } from '../../../automation/savedPlan/savedProject.ts';
import { signersInForce } from '../../../automation/settings/inForce.ts';
import type { Settings } from '../../../automation/settings/settings.ts';
import { namesKeys } from '../../../automation/settings/signers.ts';
import { demandSignatures } from '../../../automation/signing/demandSignatures.ts';
import type { Envelope } from '../../../automation/signing/envelope.ts';
import { signaturesToJson, uncheckedSignature } from '../../../automation/signing/signatureDocument.ts';
import { addSignature, readSignatures, signatureFileOf } from '../../../automation/signing/signatureFile.ts';
import { readSigningKey } from '../../../automation/signing/signingKey.ts';
import { signPlan } from '../../../automation/signing/signPlan.ts';
import type { PlanBytes, Target } from '../../../automation/signing/statement.ts';
import { endpointsOf, targetOf } from '../../../automation/signing/target.ts';
import { ToolError } from '../../../errors/toolError.ts';
import type { Plan } from '../../../plan/model/plan.ts';
import type { Ending } from '../../answer/ending.ts';
import { show } from '../../answer/show.ts';
import type { CommandContext } from '../../line/context.ts';
import type { AskOptions, GlobalOptions, PlanTextOptions, SignOptions, TrustOptions } from '../../line/options.ts';
import { UsageError } from '../../line/usageError.ts';
import { planInShort, planText } from '../../planText/showPlan.ts';
import { exitCode } from '../../process/exitCode.ts';
import { demandsOf } from '../../savedPlan/demands.ts';
import { checkWithKeys } from '../../savedPlan/signatures.ts';
import { renderSignatures, targetText } from '../../savedPlan/signatureText.ts';
import { ask } from '../../terminal/ask.ts';

export interface ApproveOptions extends GlobalOptions, AskOptions, PlanTextOptions, SignOptions, TrustOptions {}

type ApproveContext = CommandContext<ApproveOptions>;

/** Adds the signature of somebody who approves a saved plan to those beside it. Nothing is asked of the platform. */
export async function runApprove(context: ApproveContext, file: string): Promise<Ending> {
  const { cwd, options } = context;
  if (options.sign === undefined) {
    throw new UsageError(
      'an approval is a signature',
      'Give --sign KEYFILE: a private key, which is not the one of the plan.',
    );
  }
  const key = await readSigningKey(options.sign, context);
  const { saved, bytes } = await openPlanFile(file, context);
  const { project } = await openSavedProject(context, file, saved);
  const before = await readSignatures(file, cwd);
  const target = approvedTarget(saved.plan, planSignature(before, bytes), project.settings, options.embedded);
  const signers = signersInForce(project.settings);
  const checked = await checkWithKeys(before, { bytes, target, signers }, context);
  demandSignatures(checked, { ...demandsOf({ options, signers }), approvals: 0 });
  refuseOwn(before, bytes, key.fingerprint);

  await confirm(saved.plan, target, context);
  const signed = signPlan(
    { role: 'approval', plan: bytes, target, nowMs: Date.now() },
    { key, validForMs: options.validFor },
  );
  await addSignature(file, cwd, signed.line);
  const isChecked = {
    plan: options.signedBy !== undefined || namesKeys(signers, 'plan'),
    approval: options.approvedBy !== undefined || namesKeys(signers, 'approval'),
  };
  const signatures = await checkWithKeys(await readSignatures(file, cwd), { bytes, target, signers }, context);
  const after = signatures.map((signature) =>
    isChecked[signature.statement.role] ? signature : uncheckedSignature(signature.statement, bytes, Date.now()),
  );
  await show(context, {
    text: () => `${renderSignatures(after, file, context.terminal.palette)}\n\nApproved with ${key.fingerprint}.`,
    document: () => ({ plan: file, file: signatureFileOf(file), signatures: signaturesToJson(after) }),
  });
  return exitCode.ok;
}

/** The signature of whoever planned, if this is the file that was signed. It is not verified here. */
function planSignature(envelopes: readonly Envelope[], { sha256 }: PlanBytes): Envelope | undefined {
  return envelopes.find(({ statement }) => statement.role === 'plan' && statement.plan.sha256 === sha256);
}

/**
 * Where it may be applied: as set here, and what is not set here as the signature of the plan says. It is shown before it
 * is signed, and `apply` compares it with where it applies.
 */
function approvedTarget(plan: Plan, signed: Envelope | undefined, settings: Settings, embedded: boolean): Target {
  const said = signed?.statement.target;
  const given = { settings: { ...settings, env: settings.env ?? said?.environment }, embedded };
  if (said === undefined || endpointsOf(given).length > 0) return targetOf(plan, given);
  const { env } = given.settings;
  return {
    org: plan.org,
    stack: plan.stack,
    endpoints: said.endpoints,
    ...(env === undefined ? {} : { environment: env }),
  };
}

/** Errors: `saved.own-approval`. */
function refuseOwn(envelopes: readonly Envelope[], { sha256 }: PlanBytes, fingerprint: string): void {
  const mine = envelopes.find(
    ({ statement }) => statement.key === fingerprint && statement.plan.sha256 === sha256 && statement.role === 'plan',
  );
  if (mine === undefined) return;
  throw new ToolError({
    code: 'saved.own-approval',
    message: `the plan is signed with this key (${fingerprint}), and whoever plans does not approve`,
    hint: 'Have it approved by somebody else, with another key.',
  });
}

/** Errors: `saved.not-approved`. */
async function confirm(plan: Plan, target: Target, context: ApproveContext): Promise<void> {
  const { options, terminal } = context;
  const text = await planText(plan, context);
  if (options.output === 'text') terminal.result(text);
  else if (!options.yes) terminal.message(text);
  if (options.yes) return;
  if (!options.input || !terminal.canAsk) {
    throw new ToolError({
      code: 'saved.not-approved',
      message: 'nobody can be asked whether to approve; nothing was signed',
      hint: 'Review the plan, then add --yes.',
    });
  }
  const question = `\n${planInShort(plan, context)}\nApprove this ${targetText(target)}? (yes/no) `;
  if (!(await ask(question)))
    throw new ToolError({ code: 'saved.not-approved', message: 'it was not approved; nothing was signed' });
}

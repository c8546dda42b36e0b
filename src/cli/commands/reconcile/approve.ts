import { readFile } from 'node:fs/promises';
import { present } from '../../../base/json/present.ts';
import { ToolError } from '../../../base/toolError.ts';
import { openPlanFile } from '../../../gantry/savedPlan/file.ts';
import { openApproval } from '../../../gantry/savedPlan/openApproval.ts';
import type { StackSummary, WaitingPlan } from '../../../reconcile/model.ts';
import type { CommandBoard } from '../../../reconcile/store/remoteBoard.ts';
import { withBase } from '../../../reconcile/store/rows.ts';
import { withPlanFile } from '../../../reconcile/work/planFile.ts';
import { signatureFileOf } from '../../../signing/signatureFile.ts';
import { readSigningKey } from '../../../signing/signingKey.ts';
import { ask } from '../../../terminal/ask.ts';
import type { CommandContext } from '../../../terminal/context.ts';
import type { Ending } from '../../../terminal/ending.ts';
import { exitCode } from '../../../terminal/exitCode.ts';
import { planText, shortPlanText } from '../../output/showPlan.ts';
import { showStacks } from './board.ts';
import { chosenStacks, onBoard, thisUser } from './openBoard.ts';
import type { ReconcileApproveOptions } from './options.ts';

type ApproveContext = CommandContext<ReconcileApproveOptions>;

/** Shows the waiting plan, asks, and approves exactly that one. */
export function runApprove(context: ApproveContext, name: string): Promise<Ending> {
  return onBoard(context, async (board) => {
    const [stack] = await chosenStacks(board, [name]);
    const waiting = await board.waiting(name);
    if (stack === undefined || waiting === undefined) {
      throw new ToolError({
        code: 'reconcile.unknown',
        message: `no plan of ${name} waits`,
        hint: 'gantry reconcile status shows which stacks wait.',
      });
    }
    const { plan } = context.options;
    if (plan !== undefined && !waiting.name.startsWith(plan)) {
      throw new ToolError({
        code: 'reconcile.superseded',
        message: `the plan that waits is ${waiting.name}, not ${plan}`,
        hint: 'Look at it, and approve that one.',
      });
    }
    await approve(board, stack, waiting, context);
    await showStacks(context, board, [name]);
    return exitCode.ok;
  });
}

async function approve(
  board: CommandBoard,
  { entry }: StackSummary,
  { name, stack }: WaitingPlan,
  context: ApproveContext,
): Promise<void> {
  const { options } = context;
  const kept = await board.planFile(stack, name);
  if (kept.file === '') throw unplanned(stack);
  await withPlanFile(kept, async (file) => {
    const { plans } = await openPlanFile(file, context);
    await confirm(
      plans.map(({ plan }) => plan),
      name,
      context,
    );
    if (options.sign === undefined) {
      await board.approve(stack, name, { by: options.by ?? thisUser() });
      return;
    }
    // The settings of the stack name the platform that the signature is for.
    const { source } = withBase(entry, context.cwd);
    const cwd = source.kind === 'folder' ? source.path : context.cwd;
    const session = {
      ...context,
      cwd,
      options: { ...options, ...present({ env: entry.env }) },
    };
    const signing = { key: await readSigningKey(options.sign, context), validForMs: options.validFor };
    const approval = await openApproval(file, { signing, trust: {} }, session);
    await approval.sign();
    const lines = (await readFile(signatureFileOf(file), 'utf8')).trimEnd().split('\n');
    const signature = lines.at(-1);
    if (signature === undefined) throw new Error('a signature was written');
    await board.approve(stack, name, { by: signing.key.fingerprint, signature });
  });
}

function unplanned(stack: string): ToolError {
  return new ToolError({
    code: 'reconcile.blocked',
    message: `no approval lets the plan of ${stack} run: it exceeds a limit`,
    hint: 'See which with gantry reconcile status, and change the limit in gantry.yaml, or the code.',
  });
}

/** Errors: `reconcile.not-approved`. */
async function confirm(
  plans: Parameters<typeof shortPlanText>[0][],
  name: string,
  context: ApproveContext,
): Promise<void> {
  const { options, terminal } = context;
  const text = (await Promise.all(plans.map((plan) => planText(plan, context)))).join('\n\n');
  terminal.message(text);
  if (options.yes) return;
  const notApproved = (message: string, hint?: string) =>
    new ToolError({ code: 'reconcile.not-approved', message, ...present({ hint }) });
  if (!terminal.canAsk)
    throw notApproved(
      'an approval needs a confirmation, and there is no terminal to ask for it',
      'Review the plan, then add --yes.',
    );
  const short = plans.map((plan) => shortPlanText(plan, context)).join('\n');
  if (!(await ask(`\n${short}\nApprove plan ${name.slice(0, 12)}? (yes/no) `)))
    throw notApproved('it was not approved');
}

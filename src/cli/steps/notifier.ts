import { randomUUID } from 'node:crypto';
import { compact, present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import { isDrifted } from '../../change/drift.ts';
import { type Hook, parseHook } from '../../integrations/hook.ts';
import { jobAddress } from '../../integrations/jobAddress.ts';
import {
  type Notification,
  type NotifyingCommand,
  type Outcome,
  type StackNote,
  shortMessage,
} from '../../integrations/notification.ts';
import { planNote, postNotification } from '../../integrations/postNotification.ts';
import { actions } from '../../plan/model/change.ts';
import type { StepEvent } from '../../project/session/event.ts';
import { settingByUser } from '../../project/settings/settingsTable.ts';
import type { CommandContext } from '../../terminal/context.ts';
import { exitCodeOfEnding } from '../../terminal/ending.ts';
import type { ExitCode } from '../../terminal/exitCode.ts';
import { failureOf } from '../../terminal/failure.ts';
import { version } from '../../terminal/version.ts';

/** Notifies others about the end of a command. */
export interface Notifier {
  observe(event: StepEvent): void;
  /** `ended`: the value that the command returned or threw. */
  tell(ended: unknown): Promise<void>;
}

/** Errors: `notify.address`. */
export function openNotifier(
  addresses: readonly string[],
  command: NotifyingCommand,
  { environment, options, tell }: CommandContext,
): Notifier {
  const hooks = addresses.map(parseHook);
  const stacks: StackNote[] = [];
  const secret = environment['GANTRY_NOTIFY_SECRET'] || undefined;
  return {
    observe(event) {
      if (event.type === 'plan') stacks.push(planNote(event.plan));
      if (event.type !== 'drift') return;
      const { org, stack, records } = event.drift;
      stacks.push({ org, stack, drifted: records.filter(isDrifted).length });
    },
    async tell(ended) {
      const code = exitCodeOfEnding(ended);
      const named = settingByUser('env', options, environment);
      const run = jobAddress(environment);
      const notification: Notification = {
        gantry: 'notification',
        formatVersion: 1,
        id: randomUUID(),
        at: new Date().toISOString(),
        version,
        command,
        outcome: outcomeOf(code, command, stacks),
        exitCode: code,
        stacks,
        ...present({ environment: named }),
        ...(ended instanceof ToolError ? { error: errorOf(ended) } : {}),
        ...present({ run }),
      };
      const failures = await Promise.all(hooks.map((hook) => deliverTo(hook, notification, secret)));
      for (const text of compact(failures)) await tell({ type: 'note', text });
    },
  };
}

async function deliverTo(
  hook: Hook,
  notification: Notification,
  secret: string | undefined,
): Promise<string | undefined> {
  const failure = await postNotification(hook, notification, secret);
  return failure && `note: the notification to ${hook.shown} was not delivered: ${failure.why}`;
}

function errorOf({ code, message }: ToolError): NonNullable<Notification['error']> {
  return { code, message: shortMessage(message) };
}

function outcomeOf(code: ExitCode, command: NotifyingCommand, stacks: readonly StackNote[]): Outcome {
  const failure = failureOf(code);
  if (failure !== undefined) return failure;
  if (!stacks.some(hasChanges)) return 'unchanged';
  if (command === 'drift') return 'drift';
  return command === 'plan' || command === 'undo' ? 'changes' : 'applied';
}

function hasChanges({ summary, drifted = 0 }: StackNote): boolean {
  return drifted > 0 || (summary !== undefined && actions.some((action) => action !== 'keep' && summary[action] > 0));
}

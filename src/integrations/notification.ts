import {
  choice,
  count,
  described,
  each,
  integer,
  list,
  type Of,
  object,
  optional,
  publishedForm,
  text,
} from '../base/form/form.ts';
import type { JsonObject } from '../base/json/json.ts';
import { actions } from '../plan/model/change.ts';
import { risks } from '../schema/facts/risk.ts';

const notifyingCommands = ['plan', 'apply', 'destroy', 'undo', 'drift', 'reconcile'] as const;
export type NotifyingCommand = (typeof notifyingCommands)[number];

/** The outcomes of a command, or of a reconciled stack. */
export const outcomes = [
  'unchanged',
  'changes',
  'drift',
  'applied',
  'refused',
  'stale',
  'partly',
  'unreachable',
  'interrupted',
  'failed',
  'waiting',
  'recovered',
  'superseded',
  'resumed',
] as const;
export type Outcome = (typeof outcomes)[number];

const stackForm = object({
  org: text,
  stack: described('The owner: the value of the tag gantry/stack.', text),
  summary: optional(described('How many resources each action of the plan concerns.', each(actions, count))),
  risk: optional(described('The worst that the plan can do.', choice(...risks))),
  drifted: optional(described('Of drift: how many resources others have changed.', count)),
});
/** One stack's part of a command. */
export type StackNote = Of<typeof stackForm>;

const notificationForm = object({
  gantry: choice('notification'),
  formatVersion: choice(1),
  id: described('The same of every attempt to deliver it, so that it can be taken once.', text),
  at: described('ISO 8601, in UTC.', text),
  version: described('Of Gantry.', text),
  command: choice(...notifyingCommands),
  outcome: described(
    'unchanged: nothing to do. partly: something was written, and something else was not. waiting, recovered, superseded and resumed: only from reconcile.',
    choice(...outcomes),
  ),
  exitCode: optional(described('Not of reconcile, which goes on.', integer)),
  environment: optional(described('Of --env.', text)),
  stacks: described('Empty where the command ended before there was a plan.', list(stackForm)),
  error: optional(object({ code: text, message: described('Cut after 1,000 characters.', text) })),
  run: optional(
    described('The address of the job, on GitHub and GitLab; of reconcile: that of the stack on the page.', text),
  ),
  reconciled: optional(
    described(
      'Only from reconcile: the name of the stack in reconcile.yaml, and the reason for the notification.',
      object({
        stack: text,
        because: optional(described('Cut after 1,000 characters.', text)),
        plan: optional(described('The name of the plan.', text)),
        runId: optional(described('Of the run in the history, the log and the trace.', text)),
      }),
    ),
  ),
});
export type Notification = Of<typeof notificationForm>;

const longestMessage = 1_000;

/** Shortens a message to the maximum of a notification. */
export function shortMessage(message: string): string {
  return message.slice(0, longestMessage).toWellFormed();
}

export function notificationToJson(notification: Notification): JsonObject {
  return notificationForm.write(notification);
}

/** The JSON Schema of the `--notify` document; the build writes it to `dist/schemas/notification.json`. */
export const notificationSchema: JsonObject = publishedForm(
  'notification',
  'Gantry notification, format 1',
  notificationForm,
);

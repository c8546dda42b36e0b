import { actionCounts } from '../plan/impact/actionCounts.ts';
import { planRisk } from '../plan/impact/risk.ts';
import type { Plan } from '../plan/model/plan.ts';
import { deliver, type Undelivered } from './deliver.ts';
import type { Hook } from './hook.ts';
import { type Notification, notificationToJson, type StackNote } from './notification.ts';
import { slackMessage } from './slackMessage.ts';

/** Posts it in the form of the hook. Undefined: it was delivered. Never throws. */
export function postNotification(
  hook: Hook,
  notification: Notification,
  secret: string | undefined,
): Promise<Undelivered | undefined> {
  const document = hook.form === 'slack' ? slackMessage(notification) : notificationToJson(notification);
  return deliver(hook, { id: notification.id, body: JSON.stringify(document), secret });
}

/** The news of a plan for others. */
export function planNote({ org, stack, changes }: Plan): StackNote {
  return { org, stack, summary: actionCounts(changes), risk: planRisk(changes) };
}

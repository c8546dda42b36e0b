import type { JsonObject } from '../base/json/json.ts';
import { compact } from '../base/json/present.ts';
import { counted } from '../base/text/counted.ts';
import { withoutControls } from '../client/http/apiError.ts';
import { planRisk } from '../plan/consequences/risk.ts';
import { actions } from '../plan/model/change.ts';
import { actionCounts, type Plan } from '../plan/model/plan.ts';
import { deliver, type Undelivered } from './deliver.ts';
import type { Hook } from './hook.ts';
import { type Notification, notificationToJson, type StackNote } from './notification.ts';

/** Posts it in the hook's format. Undefined if it was delivered. Never throws. */
export function postNotification(
  hook: Hook,
  notification: Notification,
  secret: string | undefined,
): Promise<Undelivered | undefined> {
  const document = hook.form === 'slack' ? slackMessage(notification) : notificationToJson(notification);
  return deliver(hook, { id: notification.id, body: JSON.stringify(document), secret });
}

/** A plan's entry in a notification. */
export function planNote({ org, stack, changes }: Plan): StackNote {
  return { org, stack, summary: actionCounts(changes), risk: planRisk(changes) };
}

/** A longer name, or message, is shortened. */
const longest = 300;
/** More stacks are only counted. */
const mostStacks = 20;

/**
 * The same for Slack, and for programs that accept its incoming webhooks (Mattermost, Rocket.Chat): one text in mrkdwn.
 * Names and messages are in code spans, which disable mentions, links and emphasis.
 */
export function slackMessage(notification: Notification): JsonObject {
  const { command, outcome, environment, stacks, error, run, reconciled } = notification;
  const where = environment === undefined ? '' : ` in ${code(environment)}`;
  const shown = stacks.slice(0, mostStacks).map(stackLine);
  const more = stacks.length > mostStacks ? [`and ${stacks.length - mostStacks} more`] : [];
  const lines = compact([
    `gantry ${command}${where}: *${outcome}*`,
    reconciled === undefined ? undefined : reconciledLine(reconciled),
    ...shown,
    ...more,
    error === undefined ? undefined : `${code(error.code)} ${code(error.message)}`,
    run === undefined ? undefined : `<${run}|${reconciled === undefined ? 'The job' : 'The stack'}>`,
  ]);
  return { text: lines.join('\n') };
}

function reconciledLine({ stack, because, plan }: NonNullable<Notification['reconciled']>): string {
  const named = plan === undefined ? '' : ` (plan ${code(plan.slice(0, 12))})`;
  return `${code(stack)}${because === undefined ? '' : `: ${code(because)}`}${named}`;
}

function stackLine({ org, stack, summary, risk, drifted }: StackNote): string {
  const counts = summary === undefined ? [] : actions.filter((action) => action !== 'keep' && summary[action] > 0);
  const changes = counts.map((action) => `${summary?.[action] ?? 0} to ${action}`);
  const said = compact([...changes, drifted === undefined ? undefined : counted(drifted, 'drifted resource')]);
  const worst = risk === undefined || risk === 'none' ? '' : `, risk ${risk}`;
  return `${code(`${org}/${stack}`)}: ${said.length === 0 ? 'no changes' : said.join(', ')}${worst}`;
}

/**
 * A code span that its content cannot end. `&`, `<` and `>` are escaped for Slack; an `@` is separated from the name
 * after it, for programs that find mentions everywhere.
 */
function code(value: string): string {
  const line = withoutControls(value).replace(/\s+/g, ' ').replaceAll('`', "'");
  const cut = line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line;
  const escaped = cut.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `\`${escaped.replaceAll('@', '@\u200b')}\``;
}

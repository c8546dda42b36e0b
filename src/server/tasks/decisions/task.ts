import { isArray, isObject, type JsonObject, objectAt, own, stringAt } from '../../../base/json/json.ts';
import { present } from '../../../base/json/present.ts';
import { invitationTask } from '../../http/limits.ts';

/** The fields of a task besides its id and times (platform/task.answers); clients cannot change them. */
export interface TaskFields {
  readonly description: string;
  readonly targetEmail: string;
  readonly creatorLink: string;
  readonly type: string;
  readonly context: JsonObject;
}

export type TaskStatus = 'canceled' | 'complete' | 'pending';

/** The answer to a task, or its cancellation. */
export interface TaskOutcome {
  readonly status: TaskStatus;
  readonly response?: JsonObject;
}

/** Whether the task is unanswered. */
export function isPending({ state }: { readonly state: JsonObject }): boolean {
  return stringAt(objectAt(state, 'shown'), 'status') === 'pending';
}

export const taskAnswers = ['accept', 'reject'] as const;
export type TaskAnswer = (typeof taskAnswers)[number];

/** Returns undefined if the body has no answer. */
export function answerIn(body: JsonObject): TaskAnswer | undefined {
  return taskAnswers.find((answer) => answer === own(body, 'answer'));
}

export function completed(answer: TaskAnswer): TaskOutcome {
  return { status: 'complete', response: { answer } };
}

/** An invitation to an org, and optionally to one of its groups (platform/wire.paths). */
export function invitation(
  email: string,
  { org, creatorLink, groupLink }: { readonly org: string; readonly creatorLink: string; readonly groupLink?: string },
): TaskFields {
  return {
    description: `Invitation to the org ${org}`,
    targetEmail: email,
    creatorLink,
    type: invitationTask,
    context: { org, ...present({ groupLink }) },
  };
}

/** Whether two tasks invite the same person to the same group, so that the newer one replaces the other. */
export function isSameInvitation(a: JsonObject, b: TaskFields): boolean {
  const context = own(a, 'context');
  return (
    stringAt(a, 'type') === invitationTask &&
    b.type === invitationTask &&
    stringAt(a, 'targetEmail') === b.targetEmail &&
    isObject(context) &&
    stringAt(context, 'groupLink') === stringAt(b.context, 'groupLink')
  );
}

/** Whether the task is for this person. E-mail addresses are compared ignoring case. */
export function isFor(task: JsonObject, email: string): boolean {
  return stringAt(task, 'targetEmail')?.toLowerCase() === email.toLowerCase();
}

/** One `@` between two parts without white space and path separators, because an address becomes part of a link. */
const emailForm = /^[^\s@/\p{C}]+@[^\s@/\p{C}]+$/u;

export function isEmail(text: string): boolean {
  return text.length <= 254 && emailForm.test(text);
}

/** The addresses of an invitation, in lower case and without duplicates, or a problem. */
export function emailsIn(body: JsonObject): readonly string[] | string {
  const emails = own(body, 'emails');
  if (!isArray(emails) || emails.length === 0 || emails.length > mostInvited) {
    return `emails: a list of 1 to ${mostInvited} e-mail addresses is needed`;
  }
  const texts = emails.filter((email) => typeof email === 'string');
  const bad = emails.find((email) => typeof email !== 'string' || !isEmail(email));
  if (bad !== undefined) return `emails: ${JSON.stringify(bad)} is not an e-mail address`;
  return [...new Set(texts.map((email) => email.toLowerCase()))];
}

/** The maximum number of members of a group (platform/task.fields). */
const mostInvited = 200;

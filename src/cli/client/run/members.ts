import { isCode } from '../../../client/http/apiError.ts';
import { ToolError } from '../../../errors/toolError.ts';
import { listAt, stringAt } from '../../../schema/json/json.ts';
import { lastSegment } from '../../../schema/record/links.ts';
import { available } from '../../../schema/text/suggestion.ts';
import type { Ending } from '../../answer/ending.ts';
import { UsageError } from '../../line/usageError.ts';
import type { Call } from '../call/command.ts';
import { linkOf } from '../wire/paths.ts';
import { changed, patched } from './write.ts';

/** `group add-member`: e-mail addresses that nobody has are told and left out (platform/clients.kinds). */
export async function runAddMember(call: Call): Promise<Ending> {
  const { given, context } = call;
  requireMembers(call);
  const api = await call.open();
  const emails: string[] = [];
  for (const email of given.list('email')) {
    try {
      const user = await api.get(`/org/${api.org}/user/-for/email/${encodeURIComponent(email)}`);
      emails.push(`/org/${api.org}/user/${stringAt(user, 'email') ?? email}`);
    } catch (error) {
      if (!isCode(error, 'api.not-found')) throw error;
      context.terminal.message(`There is no user ${email}: left out.`);
    }
  }
  const accounts = given.list('serviceaccount').map((name) => linkOf(api, 'serviceaccount', name));
  const links = [...emails, ...accounts];
  if (links.length > 0) return patched(call, () => ({ '$append/memberLinks': links }));
  return new ToolError({
    code: 'api.not-found',
    message: 'none of the members exists; nothing was changed',
    hint: 'gantry user get lists the users of the org.',
  });
}

/** `group remove-member`. */
export async function runRemoveMember(call: Call): Promise<Ending> {
  requireMembers(call);
  return changed(call, (record, api) => {
    const members = listAt(record, 'memberLinks').map(String);
    const wanted = [
      ...call.given.list('email').map((email) => `/org/${api.org}/user/${email}`),
      ...call.given.list('serviceaccount').map((name) => linkOf(api, 'serviceaccount', name)),
    ];
    const missing = wanted.find((link) => !members.includes(link));
    if (missing !== undefined) {
      throw new UsageError(`${lastSegment(missing)} is not a member`, available(members.map(lastSegment)));
    }
    return { '$drop/memberLinks': wanted };
  });
}

function requireMembers({ given }: Call): void {
  if (given.list('email').length + given.list('serviceaccount').length > 0) return;
  throw new UsageError('no member is named', 'Give --email ADDRESS or --serviceaccount NAME.');
}

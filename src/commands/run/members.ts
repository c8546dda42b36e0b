import { listAt, stringAt } from '../../base/json/json.ts';
import { available } from '../../base/text/suggestion.ts';
import { ToolError } from '../../base/toolError.ts';
import { isCode } from '../../client/http/apiError.ts';
import { lastSegment } from '../../schema/record/ref.ts';
import type { Ending } from '../../terminal/ending.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { Call } from '../call/command.ts';
import { optionLinks, optionNames } from '../call/refs.ts';
import { changed, patched } from './write.ts';

/** `group add-member`: unknown e-mail addresses are reported and skipped (platform/clients.kinds). */
export async function runAddMember(call: Call): Promise<Ending> {
  const { context } = call;
  requireMembers(call);
  const api = await call.open();
  const emails: string[] = [];
  for (const email of optionNames(call, api, 'email')) {
    try {
      const user = await api.get(`/org/${api.org}/user/-for/email/${encodeURIComponent(email)}`);
      emails.push(`/org/${api.org}/user/${stringAt(user, 'email') ?? email}`);
    } catch (error) {
      if (!isCode(error, 'api.not-found')) throw error;
      context.terminal.message(`There is no user ${email}: left out.`);
    }
  }
  const links = [...emails, ...optionLinks(call, api, 'serviceaccount')];
  if (links.length > 0) return patched(call, () => ({ '$append/memberLinks': links }));
  throw new ToolError({
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
    const wanted = [...optionLinks(call, api, 'email'), ...optionLinks(call, api, 'serviceaccount')];
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

import { isCode } from '../../../client/http/apiError.ts';
import { ToolError } from '../../../errors/toolError.ts';
import {
  isObject,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  own,
  stringAt,
} from '../../../schema/json/json.ts';
import { lastSegment } from '../../../schema/record/links.ts';
import type { Ending } from '../../answer/ending.ts';
import { UsageError } from '../../line/usageError.ts';
import { exitCode } from '../../process/exitCode.ts';
import type { Call } from '../call/command.ts';
import { showList, showRecord } from '../output/present.ts';
import { itemOf, linkOf, named } from '../wire/paths.ts';
import { changed, patched } from './write.ts';

/** `gvc add-location REF --location NAME…`: the full list is sent (platform/patch.clients). */
export function runAddGvcLocation(call: Call): Promise<Ending> {
  return changed(call, (record, api) => {
    const links = locationLinks(record);
    const known = new Set(links.map(lastSegment));
    const more = call.given.list('location').filter((name) => !known.has(lastSegment(name)));
    return placedIn([...links, ...more.map((name) => linkOf(api, 'location', name))]);
  });
}

/** `gvc remove-location REF --location NAME…`. */
export function runRemoveGvcLocation(call: Call): Promise<Ending> {
  return changed(call, (record) => {
    const links = locationLinks(record);
    const gone = new Set(namesThere(call, links.map(lastSegment)));
    return placedIn(links.filter((link) => !gone.has(lastSegment(link))));
  });
}

function locationLinks(record: JsonObject): readonly string[] {
  return listAt(objectAt(objectAt(record, 'spec'), 'staticPlacement'), 'locationLinks').map(String);
}

function placedIn(locationLinks: readonly string[]): JsonObject {
  return { spec: { staticPlacement: { locationLinks } } };
}

/** The names of `--location`. Errors: `cli.usage` where one is not among those that are there. */
function namesThere({ given }: Call, there: readonly string[]): readonly string[] {
  const names = given.list('location').map((text) => locationOf(text).name);
  const missing = names.find((name) => !there.includes(name));
  if (missing === undefined) return names;
  throw new UsageError(`the location ${missing} is not there`, `There are: ${there.join(', ') || 'none'}.`);
}

/** `NAME[,RETENTION]`. */
function locationOf(text: string): { readonly name: string; readonly retentionPolicy?: string } {
  const [name = '', retentionPolicy] = text.split(',');
  if (retentionPolicy !== undefined && retentionPolicy !== 'keep' && retentionPolicy !== 'free') {
    throw new UsageError(
      `${JSON.stringify(retentionPolicy)} is no retention policy`,
      'Give NAME, NAME,keep or NAME,free.',
    );
  }
  return { name: lastSegment(name), ...(retentionPolicy === undefined ? {} : { retentionPolicy }) };
}

/** The items of `spec.locations` of an IP set for `--location NAME[,RETENTION]`; kept unless it says otherwise. */
export function ipSetLocations(call: Call, link: (name: string) => string): readonly JsonObject[] {
  return call.given.list('location').map((text) => {
    const { name, retentionPolicy = 'keep' } = locationOf(text);
    return { name: link(name), retentionPolicy };
  });
}

/** `ipset add-location` and `update-location`: others stay, those of the same name are replaced. */
export function runSetIpSetLocation(call: Call): Promise<Ending> {
  return changed(call, (record, api) => {
    const before = listAt(objectAt(record, 'spec'), 'locations').filter(isObject);
    const nameAt = (item: JsonObject) => lastSegment(stringAt(item, 'name') ?? '');
    if (call.verb === 'update-location') namesThere(call, before.map(nameAt));
    const given = ipSetLocations(call, (name) => linkOf(api, 'location', name));
    const names = new Set(given.map(nameAt));
    return { spec: { locations: [...before.filter((item) => !names.has(nameAt(item))), ...given] } };
  });
}

/** `ipset remove-location`. */
export function runRemoveIpSetLocation(call: Call): Promise<Ending> {
  return changed(call, (record) => {
    const before = listAt(objectAt(record, 'spec'), 'locations').filter(isObject);
    const nameAt = (item: JsonObject) => lastSegment(stringAt(item, 'name') ?? '');
    const gone = new Set(namesThere(call, before.map(nameAt)));
    return { spec: { locations: before.filter((item) => !gone.has(nameAt(item))) } };
  });
}

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
      throw new UsageError(
        `${lastSegment(missing)} is no member`,
        `There are: ${members.map(lastSegment).join(', ') || 'none'}.`,
      );
    }
    return { '$drop/memberLinks': wanted };
  });
}

function requireMembers({ given }: Call): void {
  if (given.list('email').length + given.list('serviceaccount').length > 0) return;
  throw new UsageError('no member is named', 'Give --email ADDRESS or --serviceaccount NAME.');
}

/** `policy add-binding REF --permission P… --principal LINK…`: the full list is sent. */
export function runAddBinding(call: Call): Promise<Ending> {
  return changed(call, (record, api) => {
    const binding = {
      permissions: call.given.list('permission'),
      principalLinks: principals(call, api.org),
    };
    return { bindings: [...listAt(record, 'bindings'), binding] };
  });
}

/** `policy remove-binding`: what is named is taken out of every binding; one that gives nothing any more goes. */
export function runRemoveBinding(call: Call): Promise<Ending> {
  return changed(call, (record, api) => {
    const permissions = new Set(call.given.list('permission'));
    const links = new Set(principals(call, api.org));
    const before = listAt(record, 'bindings').filter(isObject);
    let isFound = false;
    const bindings = before.flatMap((binding): readonly JsonValue[] => {
      const granted = listAt(binding, 'permissions').map(String);
      const to = listAt(binding, 'principalLinks').map(String);
      const concerned = granted.every((each) => permissions.has(each)) && to.some((link) => links.has(link));
      if (!concerned) return [binding];
      isFound = true;
      const left = to.filter((link) => !links.has(link));
      return left.length === 0 ? [] : [{ ...binding, principalLinks: left }];
    });
    if (!isFound) {
      throw new UsageError(
        'no binding gives these permissions to these principals',
        'Look at it: gantry policy get REF -o yaml.',
      );
    }
    return { bindings };
  });
}

/** `//group/x`, `group/x`, `/org/o/group/x`, or the e-mail address of a user. */
function principals({ given }: Call, org: string): readonly string[] {
  return given.list('principal').map((text) => {
    if (text.startsWith('/org/')) return text;
    if (text.startsWith('//')) return `/org/${org}/${text.slice(2)}`;
    return text.includes('/') ? `/org/${org}/${text}` : `/org/${org}/user/${text}`;
  });
}

/** `serviceaccount add-key REF --description TEXT`: the key is shown once, and never again. */
export async function runAddKey(call: Call): Promise<Ending> {
  const api = await call.open();
  const [ref = ''] = call.args;
  const path = `${itemOf(api, 'serviceaccount', ref)}/-addKey`;
  const body = { description: call.given.text('description') ?? '' };
  const { record } = await named(api, 'serviceaccount', ref, api.send('POST', path, body));
  await showRecord(call, 'key', record);
  call.context.terminal.message('Store the key now: it is not shown again.');
  return exitCode.ok;
}

/** `serviceaccount remove-key REF --key NAME…`. */
export function runRemoveKey(call: Call): Promise<Ending> {
  return changed(call, (record) => {
    const names = listAt(record, 'keys')
      .filter(isObject)
      .map((key) => stringAt(key, 'name') ?? '');
    const missing = call.given.list('key').find((name) => !names.includes(name));
    if (missing === undefined) return { '$drop/keys': call.given.list('key') };
    throw new UsageError(`there is no key ${missing}`, `There are: ${names.join(', ') || 'none'}.`);
  });
}

/** `task get-mine`: the tasks of the caller, in all orgs. */
export async function runGetMine(call: Call): Promise<Ending> {
  const api = await call.open();
  await showList(call, 'task', await api.list('/task/-forme', call.context.options.max), api);
  return exitCode.ok;
}

/** `task complete ID --answer accept|reject`. */
export async function runCompleteTask(call: Call): Promise<Ending> {
  const api = await call.open();
  const [id = ''] = call.args;
  const answer = call.given.text('answer') ?? '';
  const { record } = await api.send('POST', `/task/${encodeURIComponent(id)}`, { answer });
  await showRecord(call, 'task', record, api);
  return exitCode.ok;
}

/** `secret reveal REF`: with its values. */
export async function runReveal(call: Call): Promise<Ending> {
  const api = await call.open();
  const [ref = ''] = call.args;
  const record = await named(api, 'secret', ref, api.get(`${itemOf(api, 'secret', ref)}/-reveal`));
  const { terminal, options } = call.context;
  if (options.form !== 'text') await showRecord(call, 'secret', record, api);
  else {
    const [{ toYaml }, { withoutLastLineEnd }] = await Promise.all([
      import('../../../automation/files/toYaml.ts'),
      import('../../answer/toText.ts'),
    ]);
    await terminal.page(withoutLastLineEnd(await toYaml(own(record, 'data') ?? {})));
  }
  return exitCode.ok;
}

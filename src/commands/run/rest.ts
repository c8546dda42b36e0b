import { isArray, isObject, type JsonObject, own, stringAt } from '../../base/json/json.ts';
import { type ErrorCause, ToolError } from '../../base/toolError.ts';
import { hiddenTexts } from '../../client/hiddenTexts.ts';
import type { Method } from '../../client/http/exchange.ts';
import { isOfSecrets } from '../../client/paths.ts';
import { isGvcScoped, type Kind, kindNamed } from '../../schema/record/kinds.ts';
import { toText } from '../../terminal/answer.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { printable } from '../../terminal/printable.ts';
import { UsageError } from '../../terminal/usageError.ts';
import { type Call, isSlim } from '../call/command.ts';
import { objectIn, objectsIn, readTextOf } from '../call/input.ts';
import { homeOf } from '../call/paths.ts';
import { showDone } from '../call/present.ts';
import { gvcOf, inOrder, slim } from '../call/records.ts';
import { eachOf, severalFailed } from './get.ts';
import { confirm } from './remove.ts';

const methods: Readonly<Record<string, Method>> = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  create: 'POST',
};

/** `rest get|post|put|patch|delete PATH`, and `create`: a POST, then a GET of the created record. */
export async function runRest(call: Call): Promise<Ending> {
  const { context, row } = call;
  const { verb } = row;
  const method = methods[verb] ?? 'GET';
  if (call.args.length === 0) return putRecords(call);
  const api = await call.open();
  const path = pathOf(call.args[0] ?? '', api.org);
  const body = await bodyOf(call, method);
  if (method === 'DELETE') await confirm(call, [`delete ${path}`], { act: 'Delete it' });
  // The platform may repeat in an error what it was sent.
  const hidden = body === undefined || !isOfSecrets(path) ? undefined : hiddenTexts('secret', body);
  const answer =
    verb === 'create'
      ? await api.create(path, body ?? {}, hidden)
      : (await api.send(method, path, body, hidden)).record;
  const { form } = context.options;
  const shown = isSlim(form) ? slim(answer) : inOrder(answer);
  if (form === 'text') await context.terminal.page(await toText(shown, 'json'));
  else context.answer.document(shown);
  return exitCode.ok;
}

/** Kinds that others refer to come first (platform/clients.apply). */
const order: readonly Kind[] = [
  'agent',
  'secret',
  'cloudaccount',
  'gvc',
  'identity',
  'volumeset',
  'policy',
  'workload',
];

/** `rest put --file FILE`: sends each record of the file to its collection, as it is. */
async function putRecords(call: Call): Promise<Ending> {
  const file = call.given.text('file');
  if (file === undefined) throw new UsageError('the path or the file is missing', 'Give a PATH, or --file FILE.');
  const objects = objectsIn(await readTextOf(call, file), file).flatMap((object) => {
    const items = own(object, 'items');
    return isArray(items) ? items.filter(isObject) : [object];
  });
  const rank = (kind: Kind) => (order.includes(kind) ? order.indexOf(kind) : order.length);
  const records = objects
    .map((body) => ({ body, kind: kindIn(body, file) }))
    .sort((a, b) => rank(a.kind) - rank(b.kind));
  const api = await call.open();
  const causes: ErrorCause[] = [];
  const done = await eachOf(call, causes, records, async ({ body, kind }) => {
    const gvc = stringAt(body, 'gvc') ?? gvcOf(body) ?? api.gvc;
    const { location } = await api.send('PUT', homeOf(api, kind, gvc), body, hiddenTexts(kind, body));
    return {
      name: `${kind}/${isGvcScoped(kind) ? `${gvc}/` : ''}${stringAt(body, 'name') ?? ''}`,
      created: location !== undefined,
    };
  });
  const text = done.map(({ name, created }) => `${created ? 'Created' : 'Replaced'} ${printable(name)}`).join('\n');
  if (done.length > 0) showDone(call, { text, names: done.map(({ name }) => name), document: { records: done } });
  return severalFailed(causes, records.length, 'could not be written') ?? exitCode.ok;
}

/** Errors: `input.file`. */
function kindIn(body: JsonObject, file: string): Kind {
  const kind = kindNamed(own(body, 'kind'));
  if (kind !== undefined && stringAt(body, 'name') !== undefined) return kind;
  throw new ToolError({
    code: 'input.file',
    message: `a record in ${file === '-' ? 'standard input' : file} has no kind or no name`,
    hint: 'Each record needs both; the path of any other body is an argument: gantry rest put PATH --file FILE.',
    place: { file },
  });
}

/** Absolute, below the endpoint; `//…` is in the org. */
function pathOf(text: string, org: string): string {
  const path = text.startsWith('//') ? `/org/${org}/${text.slice(2)}` : text;
  if (path.startsWith('/') && !/[\s\\\p{C}]/u.test(path)) return path;
  throw new UsageError(
    `${JSON.stringify(text)} is not a valid path`,
    'A path begins with / (such as /org/NAME/gvc), or with // for the org.',
  );
}

async function bodyOf(call: Call, method: Method): Promise<JsonObject | undefined> {
  const file = call.given.text('file');
  if (method === 'GET' || method === 'DELETE') {
    if (file === undefined) return undefined;
    throw new UsageError(`rest ${call.row.verb} takes no body`, 'Leave out --file.');
  }
  if (file === undefined)
    throw new UsageError('the body is missing', 'Give --file FILE, or --file - for standard input.');
  return objectIn(await readTextOf(call, file), file);
}

import type { JsonObject } from '../../base/json/json.ts';
import { hiddenTexts } from '../../client/hiddenTexts.ts';
import type { Method } from '../../client/http/exchange.ts';
import { parseLink } from '../../schema/record/links.ts';
import type { Ending } from '../../terminal/answer/ending.ts';
import { toText } from '../../terminal/answer/toText.ts';
import { UsageError } from '../../terminal/line/usageError.ts';
import { exitCode } from '../../terminal/process/exitCode.ts';
import type { Call } from '../call/command.ts';
import { isSlim } from '../call/format.ts';
import { objectIn, readTextOf } from '../call/input.ts';
import { inOrder, slim } from '../call/records.ts';
import { confirm } from './remove.ts';

const methods: Readonly<Record<string, Method>> = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  create: 'POST',
};

/** `rest get|post|put|patch|delete PATH`, and `create`: a POST, then a GET of what it made. */
export async function runRest(call: Call): Promise<Ending> {
  const { context, row } = call;
  const { verb } = row;
  const method = methods[verb] ?? 'GET';
  const api = await call.open();
  const path = pathOf(call.args[0] ?? '', api.org);
  const body = await bodyOf(call, method);
  if (method === 'DELETE') await confirm(call, [`delete ${path}`]);
  const hidden = body === undefined ? undefined : hiddenOf(path, body, api.org);
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

/** What must not be repeated in an error, where the path is that of a record or a collection. */
function hiddenOf(path: string, body: JsonObject, org: string): readonly string[] {
  const isSecret = parseLink(path, { org })?.ref.kind === 'secret' || path.endsWith('/secret');
  return isSecret ? hiddenTexts('secret', body) : [];
}

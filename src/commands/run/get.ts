import { systemClock } from '../../apply/port.ts';
import { isObject, type JsonObject, listAt, sameJson, stringAt } from '../../base/json/json.ts';
import { type ErrorCause, ToolError } from '../../base/toolError.ts';
import { isCode } from '../../client/http/apiError.ts';
import type { Column } from '../../kinds/common/client.ts';
import { hrefOf } from '../../schema/record/hrefOf.ts';
import { isGvcScoped } from '../../schema/record/kinds.ts';
import type { Ending } from '../../terminal/ending.ts';
import { exitCode } from '../../terminal/exitCode.ts';
import { listenForInterrupt } from '../../terminal/interrupt.ts';
import { printable } from '../../terminal/printable.ts';
import { fitsLayout, layoutOf, type TableLayout, tableHead, tableRow } from '../../terminal/table.ts';
import { UsageError } from '../../terminal/usageError.ts';
import type { Api, Listed } from '../call/api.ts';
import { columnsOf } from '../call/columns.ts';
import type { Call } from '../call/command.ts';
import { kindOf } from '../call/input.ts';
import { type Item, itemOf, openItem } from '../call/item.ts';
import { homeOf, inGvc, orgHomeOf } from '../call/paths.ts';
import {
  cellsOf,
  grantsOf,
  listOf,
  noneFound,
  permissionsOf,
  showList,
  showRecord,
  tableLook,
  titled,
} from '../call/present.ts';
import { queryTerms } from '../call/queryTerms.ts';
import { gvcOf, nameOf } from '../call/records.ts';
import { argumentRefs } from '../call/refs.ts';

/** `get [ref…]`: one record, several, or the collection. */
export async function runGet(call: Call): Promise<Ending> {
  const api = await call.open();
  if (call.given.flag('watch')) return watchList(call, api, () => found(call, api));
  if (call.args.length > 0) {
    return forEachRef(call, 'could not be read', async (item) => withDeployments(call, api, await item.read()));
  }
  await showList(call, kindOf(call), await found(call, api), api);
  return exitCode.ok;
}

/**
 * Does the work for each record that the arguments name, in turn, and prints the results; undefined results are
 * skipped. If it fails for one of several, it continues with the next.
 */
export async function forEachRef(
  call: Call,
  failed: string,
  work: (item: Item) => Promise<JsonObject | undefined>,
): Promise<Ending> {
  const api = await call.open();
  const kind = kindOf(call);
  const refs = argumentRefs(call, api);
  const [only] = refs;
  if (only !== undefined && refs.length === 1) {
    const record = await work(itemOf(api, only));
    if (record !== undefined) await showRecord(call, kind, record, api);
    else call.context.answer.document({ changed: false });
    return exitCode.ok;
  }
  const causes: ErrorCause[] = [];
  const records = await eachOf(call, causes, refs, (ref) => work(itemOf(api, ref)));
  const made = records.filter((record) => record !== undefined);
  if (made.length > 0 || call.context.options.form !== 'text') await showList(call, kind, listOf(kind, made), api);
  return severalFailed(causes, refs.length, failed) ?? exitCode.ok;
}

/**
 * The error of a command on `count` records that continued after a failure; undefined if none failed. Only the error of
 * a single record keeps its code: that of one of several may say that nothing was written.
 */
export function severalFailed(causes: readonly ErrorCause[], count: number, what: string): ToolError | undefined {
  const [first] = causes;
  if (first === undefined) return undefined;
  if (count === 1) return new ToolError({ ...first, causes });
  return new ToolError({ code: 'api.several', message: `${causes.length} of ${count} records ${what}`, causes });
}

/** The results of the work on each, in turn; `causes` collects the failures. */
export async function eachOf<Each, Made>(
  call: Call,
  causes: ErrorCause[],
  all: readonly Each[],
  work: (each: Each, index: number) => Promise<Made>,
): Promise<readonly Made[]> {
  const made: Made[] = [];
  for (const [index, each] of all.entries()) {
    try {
      made.push(await work(each, index));
    } catch (error) {
      causes.push(causeOf(call, error));
    }
  }
  return made;
}

/** Reports the failure of one record of several immediately. Ctrl-C ends all of them. */
function causeOf({ context: { terminal } }: Call, error: unknown): ErrorCause {
  if (!(error instanceof ToolError) || error.code === 'cli.interrupted') throw error;
  const { code, message, hint } = error;
  terminal.message(
    `${terminal.messagePalette.refuse('error')} ${code}: ${message}${hint === undefined ? '' : `\n  hint: ${hint}`}`,
  );
  return { code, message, hint };
}

async function found(call: Call, api: Api): Promise<Listed> {
  const { given, context } = call;
  const kind = kindOf(call);
  const refs = argumentRefs(call, api);
  if (refs.length > 0) {
    return listOf(
      kind,
      await Promise.all(
        refs.map((ref) =>
          itemOf(api, ref)
            .read()
            .then((record) => withDeployments(call, api, record)),
        ),
      ),
    );
  }
  const path = isGvcScoped(kind) && given.flag('allGvcs') ? orgHomeOf(api, kind) : homeOf(api, kind);
  const listed = await inGvc(api, kind, api.list(path, context.options.max));
  const items = await Promise.all(listed.items.map((item) => withDeployments(call, api, item)));
  return { ...listed, items };
}

/** The table of workloads shows how many of their locations are ready (platform/clients.operations). */
async function withDeployments({ context: { options } }: Call, api: Api, record: JsonObject): Promise<JsonObject> {
  const link = options.form === 'text' ? hrefOf(record, 'deployment') : undefined;
  if (link === undefined) return record;
  try {
    return { ...record, deployments: listAt(await api.get(api.pathOf(link)), 'items').filter(isObject) };
  } catch (error) {
    if (isCode(error, 'api.not-found')) return record;
    throw error;
  }
}

/** `query`: the matching records. */
export async function runQuery(call: Call): Promise<Ending> {
  const api = await call.open();
  const kind = kindOf(call);
  const { given, context } = call;
  const own = queryTerms(call, api, kind);
  const match = given.text('match') ?? 'all';
  const inGvc = isGvcScoped(kind) && !given.flag('allGvcs') && api.gvc !== undefined;
  const isNarrowed = inGvc && (match === 'all' || own.length === 0);
  const terms = [...own, ...(isNarrowed ? [{ rel: 'gvc', op: '=', value: api.gvc ?? '' }] : [])];
  const body: JsonObject =
    terms.length === 0 ? {} : { kind, fetch: 'items', spec: { match: isNarrowed ? 'all' : match, terms } };
  const { max } = context.options;
  // A query has one `match` for all its terms: if that is not `all`, the GVC is not a term, and is filtered here.
  const isOfGvc = (record: JsonObject) => isNarrowed || !inGvc || gvcOf(record) === api.gvc;
  await showList(call, kind, await api.query(`${orgHomeOf(api, kind)}/-query`, body, max, isOfGvc), api);
  return exitCode.ok;
}

/** `permissions`: what policies can grant on a kind. */
export async function runPermissions(call: Call): Promise<Ending> {
  const api = await call.open();
  const document = await api.get(`${orgHomeOf(api, kindOf(call))}/-schema/permissions`);
  const rows = permissionsOf(document);
  await showTable(call, 'permission', rows, document);
  return exitCode.ok;
}

/** `access-report REF`: who may do what with a record. */
export async function runAccessReport(call: Call): Promise<Ending> {
  const { api, path, withSuggestion } = await openItem(call);
  const document = await withSuggestion(api.get(`${path}/-accessreport`));
  await showTable(call, 'access', grantsOf(document), document);
  return exitCode.ok;
}

/** `eventlog REF`. */
export async function runEventLog(call: Call): Promise<Ending> {
  const { api, path, withSuggestion } = await openItem(call);
  await showList(call, 'event', await withSuggestion(api.list(`${path}/-eventlog`, call.context.options.max)));
  return exitCode.ok;
}

/** Prints rows for users, and for programs the document that they come from. */
export function showTable(
  call: Call,
  itemKind: string,
  rows: readonly JsonObject[],
  document: JsonObject,
): Promise<void> {
  const { form } = call.context.options;
  if (form === 'text' || form === 'names') return showList(call, itemKind, listOf(itemKind, rows));
  return showRecord(call, itemKind, document);
}

const intervalMs = 2_000;

/**
 * Prints the list, and then each new, changed or deleted record, until it is interrupted or `--wait-timeout` is over.
 */
async function watchList(call: Call, api: Api, read: () => Promise<Listed>): Promise<Ending> {
  const { form } = call.context.options;
  if (form !== 'text' && form !== 'names') {
    throw new UsageError(
      `--watch cannot be combined with -o ${form}`,
      'Use -o text or -o names: the other formats print one complete document.',
    );
  }
  const endMs = call.context.now() + (call.given.count('waitTimeout') ?? Number.POSITIVE_INFINITY);
  const interrupt = listenForInterrupt(() => api.stopRetrying());
  const print = form === 'names' ? namesPrinter(call) : tablePrinter(call, await columnsOf(kindOf(call)));
  const known = new Map<string, JsonObject>();
  try {
    for (let isFirst = true; ; isFirst = false) {
      const listed = await read().catch((error: unknown) => {
        if (interrupt.signal.aborted) return undefined; // an unanswered request is not waited for
        throw error;
      });
      if (listed === undefined) return exitCode.ok;
      const now = new Map(listed.items.map((item) => [keyOf(item), item]));
      const news: News[] = [];
      for (const [self, item] of now) {
        const before = known.get(self);
        if (before === undefined) news.push({ sign: isFirst ? ' ' : '+', item });
        else if (!sameJson(before, item)) news.push({ sign: '~', item, before });
      }
      for (const [self, item] of known) if (!now.has(self)) news.push({ sign: '-', item });
      known.clear();
      for (const [self, item] of now) known.set(self, item);
      if (news.length > 0) print(news);
      else if (isFirst) call.context.terminal.message(noneFound(kindOf(call)));
      const leftMs = endMs - call.context.now();
      if (interrupt.signal.aborted || leftMs <= 0) return exitCode.ok;
      await systemClock.sleep(Math.min(intervalMs, leftMs), interrupt.signal);
      if (interrupt.signal.aborted) return exitCode.ok;
    }
  } finally {
    interrupt.release();
  }
}

/** Some platforms show no link of a record in a list. */
function keyOf(item: JsonObject): string {
  return hrefOf(item, 'self') ?? stringAt(item, 'id') ?? nameOf(item) ?? '';
}

/** The change of one record since the previous list. */
interface News {
  /** A blank for the first list. */
  readonly sign: ' ' | '+' | '~' | '-';
  readonly item: JsonObject;
  readonly before?: JsonObject;
}

function namesPrinter({ context: { terminal } }: Call): (news: readonly News[]) => void {
  return (news) => {
    for (const { sign, item } of news) {
      const name = printable(nameOf(item) ?? '');
      terminal.result(sign === '-' ? `${name} is gone` : name);
    }
  };
}

/**
 * A table that continues: it keeps its columns while they fit the new rows and the terminal keeps its width. Each row
 * starts with its sign, and the changed cells have its colour.
 */
function tablePrinter(call: Call, columns: readonly Column[]): (news: readonly News[]) => void {
  const { terminal } = call.context;
  let layout: TableLayout | undefined;
  return (news) => {
    const look = tableLook(call);
    const width = look.width - 2;
    const rows = news.map(({ item }) => cellsOf(columns, item, look));
    if (layout?.width !== width || rows.some((row) => layout !== undefined && !fitsLayout(layout, row, columns))) {
      const titles = columns.map((column) => titled(column, look));
      const earlier = layout?.width === width ? layout : undefined;
      layout = layoutOf(titles, rows, width, { empty: true, earlier });
      terminal.result(`  ${tableHead(layout, look.palette)}`);
    }
    for (const [index, { sign, before }] of news.entries()) {
      const row = rows[index] ?? [];
      const paint = {
        ' ': (text: string) => text,
        '+': look.palette.add,
        '~': look.palette.change,
        '-': look.palette.remove,
      };
      const earlier = before === undefined ? undefined : cellsOf(columns, before, look);
      const text = tableRow(layout, row, (cell, at) =>
        earlier === undefined || earlier[at] !== row[at] ? paint[sign](cell) : cell,
      );
      terminal.result(`${paint[sign](sign)} ${text.replaceAll('\n', '\n  ')}`);
    }
  };
}

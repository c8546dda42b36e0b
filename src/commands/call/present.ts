import { isObject, type JsonObject, listAt, objectAt, own, put, stringAt } from '../../base/json/json.ts';
import { plural } from '../../base/text/counted.ts';
import { ToolError } from '../../base/toolError.ts';
import type { Column } from '../../kinds/common/client.ts';
import { wordsOf } from '../../kinds/kindWords.ts';
import { toYaml } from '../../project/files/toYaml.ts';
import { hrefOf } from '../../schema/record/hrefOf.ts';
import { kindNamed } from '../../schema/record/kinds.ts';
import { withoutLastLineEnd } from '../../terminal/answer.ts';
import type { Palette } from '../../terminal/palette.ts';
import { printable, printableLines } from '../../terminal/printable.ts';
import { renderTable } from '../../terminal/table.ts';
import type { Api, Listed } from './api.ts';
import { columnsOf } from './columns.ts';
import { type Call, isSlim, type TimeForm } from './command.ts';
import { homeOf } from './paths.ts';
import { inOrder, nameOf, slim } from './records.ts';
import { ageOf } from './times.ts';

/** The records that a command found or created. */
interface Found {
  readonly itemKind: string;
  readonly items: readonly JsonObject[];
  /** For programs. */
  readonly document: JsonObject;
}

/** Prints one record, in the format of the command line. `api`: for the formats that the platform produces. */
export function showRecord(call: Call, itemKind: string, record: JsonObject, api?: Api): Promise<void> {
  return show(call, { itemKind, items: [record], document: record }, api);
}

export async function showList(call: Call, itemKind: string, listed: Listed, api?: Api): Promise<void> {
  const { items, head, isCut } = listed;
  const document = { kind: 'list', itemKind, ...head, items };
  await show(call, { itemKind, items, document }, api);
  const { terminal, options } = call.context;
  if (isCut) terminal.message(`There are more than ${options.max}: --max ${options.max * 2} shows more, --max 0 all.`);
}

/** A list that the command composed itself. */
export function listOf(itemKind: string, items: readonly JsonObject[]): Listed {
  return { items, isCut: false, head: { kind: 'list', itemKind, links: [] } };
}

/** An action, and the records that it affected. */
interface Done {
  /** For users. */
  readonly text: string;
  readonly names: readonly string[];
  /** For programs. */
  readonly document: JsonObject;
}

export function showDone(call: Call, { text, names, document }: Done): void {
  const { terminal, answer, options } = call.context;
  if (options.form === 'names') for (const name of names) terminal.result(printable(name));
  else if (options.form === 'text') terminal.result(text);
  else answer.document(document);
}

async function show(call: Call, { itemKind, items, document: neutral }: Found, api: Api | undefined): Promise<void> {
  const { terminal, answer, options } = call.context;
  const document = await worded(call, neutral);
  switch (options.form) {
    case 'json':
    case 'yaml':
    case 'json-slim':
    case 'yaml-slim':
      return answer.document(isSlim(options.form) ? slim(document) : inOrder(document));
    case 'names':
      if (items.length > 0) await terminal.page(items.map((item) => printable(nameOfItem(item, itemKind))).join('\n'));
      return;
    case 'tf':
    case 'crd':
      return showExported(call, options.form, { items, itemKind, document }, api);
    case 'text':
      if (items.length === 0) return terminal.message(noneFound(itemKind));
      return terminal.page(tableOf(await columnsOf(itemKind), items, tableLook(call)));
  }
}

/** A document for programs in the requested vocabulary. */
async function worded({ context: { options }, open }: Call, document: JsonObject): Promise<JsonObject> {
  if (options.words === 'neutral') return document;
  const { dialect } = await open();
  return dialect?.platforms(document) ?? document;
}

function nameOfItem(item: JsonObject, itemKind: string): string {
  const name = nameOf(item) ?? stringAt(item, 'id');
  if (name !== undefined) return name;
  throw new ToolError({
    code: 'output.names',
    message: `this ${itemKind} has no name`,
    hint: 'Use another format: -o json.',
  });
}

/** The address of a record on a platform that gives it no link. */
function addressOf(item: JsonObject, itemKind: string, api: Api | undefined): string | undefined {
  const [kind, name] = [kindNamed(itemKind), stringAt(item, 'name')];
  if (api === undefined || kind === undefined || name === undefined) return undefined;
  return `${homeOf(api, kind)}/${encodeURIComponent(name)}`;
}

/** Printed by the exporters of the platform, one record after another (platform/clients.output). */
async function showExported(
  call: Call,
  form: 'tf' | 'crd',
  { items, itemKind }: Found,
  api: Api | undefined,
): Promise<void> {
  const links = items.map((item) => hrefOf(item, 'self') ?? addressOf(item, itemKind, api));
  if (api === undefined || links.includes(undefined)) {
    throw new ToolError({
      code: 'output.export',
      message: `this result cannot be written as ${form}`,
      hint: 'Only records can: those of gantry KIND get, query and create. Use another format: -o json.',
    });
  }
  const service = await api.service(form === 'tf' ? 'terraform-exporter' : 'k8s-crd-exporter');
  const texts: string[] = [];
  const { terminal } = call.context;
  for (const link of links) {
    const path = `${service}${link}`;
    texts.push(
      form === 'tf'
        ? printableText(await api.text(path))
        : withoutLastLineEnd(await toYaml(await worded(call, await api.get(path)))),
    );
  }
  if (texts.length > 0) await terminal.page(texts.join(form === 'tf' ? '\n' : '\n---\n'));
}

/** A text of the platform, which may have foreign line ends. */
function printableText(text: string): string {
  return printableLines(withoutLastLineEnd(text.replaceAll('\r\n', '\n'))).join('\n');
}

/** The rows of an access report: one for each grant (platform/access.report). */
export function grantsOf(report: JsonObject): readonly JsonObject[] {
  return listAt(report, 'permissions')
    .filter(isObject)
    .flatMap((permission) =>
      listAt(permission, 'bindings')
        .filter(isObject)
        .map((binding) => ({ permission: stringAt(permission, 'name') ?? '', ...binding })),
    );
}

/** The rows of a list of permissions, each with the permissions that it implies. */
export function permissionsOf(document: JsonObject): readonly JsonObject[] {
  const implied = objectAt(document, 'implied');
  return listAt(document, 'items')
    .filter(isObject)
    .map((item) => {
      const row: Record<string, JsonObject[string]> = { ...item };
      put(row, 'implies', own(implied, stringAt(item, 'name') ?? '') ?? []);
      return row;
    });
}

/** `cronexecution` and `auditevent` are item kinds in documents. */
const itemWords: Readonly<Record<string, string>> = {
  ...{ cronexecution: 'runs', auditevent: 'audit events', logline: 'lines' },
};

/** The text printed instead of an empty table. */
export function noneFound(itemKind: string): string {
  const kind = kindNamed(itemKind);
  return `No ${kind === undefined ? (itemWords[itemKind] ?? plural(itemKind)) : wordsOf(kind).plural} found.`;
}

interface TableLook {
  readonly palette: Palette;
  /** Infinite if standard output is not a terminal. */
  readonly width: number;
  readonly ts: TimeForm;
  /** `-o wide`: all columns, with their complete content. */
  readonly isWide: boolean;
  /** For ages; milliseconds since 1970. */
  readonly nowMs: number;
}

/** The current presentation of tables. */
export function tableLook({ context: { terminal, options } }: Call): TableLook {
  const { ts, isWide } = options;
  const width = isWide ? Number.POSITIVE_INFINITY : terminal.resultColumns();
  return { palette: terminal.palette, width, ts, isWide, nowMs: Date.now() };
}

/** Records as lines of at most `width` columns. */
export function tableOf(columns: readonly Column[], records: readonly JsonObject[], look: TableLook): string {
  return renderTable(
    columns.map((column) => titled(column, look)),
    records.map((record) => cellsOf(columns, record, look)),
    look,
  );
}

/** Renames a column that shows ages. */
export function titled<Some extends Column>(column: Some, { ts }: TableLook): Some {
  return ts === 'age' && column.title === 'CREATED' ? { ...column, title: 'AGE' } : column;
}

export function cellsOf(columns: readonly Column[], record: JsonObject, look: TableLook): readonly string[] {
  return columns.map(({ of, wideValue = of, isTime }) => {
    const text = look.isWide ? wideValue(record) : of(record);
    return isTime === true && text !== '' ? timeText(text, look) : text;
  });
}

function timeText(iso: string, { ts, nowMs }: TableLook): string {
  if (ts === 'iso') return iso;
  if (ts === 'age') return ageOf(iso, nowMs);
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : date.toLocaleString('sv-SE');
}

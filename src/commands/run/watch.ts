import { systemClock } from '../../apply/port/systemClock.ts';
import { type JsonObject, sameJson, stringAt } from '../../base/json/json.ts';
import type { Column } from '../../kinds/common/client.ts';
import { hrefOf } from '../../schema/record/hrefOf.ts';
import type { Ending } from '../../terminal/answer/ending.ts';
import { UsageError } from '../../terminal/line/usageError.ts';
import { printable } from '../../terminal/printable.ts';
import { exitCode } from '../../terminal/process/exitCode.ts';
import { listenForInterrupt } from '../../terminal/process/interrupt.ts';
import { fitsLayout, layoutOf, type TableLayout, tableHead, tableRow } from '../../terminal/table.ts';
import type { Api, Listed } from '../call/api.ts';
import type { Call } from '../call/command.ts';
import { kindOf } from '../call/input.ts';
import { nameOf } from '../call/records.ts';
import { columnsOf } from '../output/columns.ts';
import { cellsOf, noneFound, tableLook, titled } from '../output/present.ts';

const intervalMs = 2_000;

/**
 * Prints the list, and then each record that is new, changed or gone, until it is interrupted or `--wait-timeout` is over.
 */
export async function watchList(call: Call, api: Api, read: () => Promise<Listed>): Promise<Ending> {
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
        if (interrupt.signal.aborted) return undefined; // what was not answered is not waited for
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

/** Some platforms show no link of a record in its list. */
function keyOf(item: JsonObject): string {
  return hrefOf(item, 'self') ?? stringAt(item, 'id') ?? nameOf(item) ?? '';
}

/** The change of one record since the list was read before. */
interface News {
  /** Of the first list: a blank. */
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
 * A table that goes on: it keeps its columns while they hold what is new and the terminal keeps its width. Each row has its
 * sign in front, and the cells that changed have its colour.
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

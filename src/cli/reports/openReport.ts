import { renderHtml } from '../../report/html/renderHtml.ts';
import type { ReportedCommand } from '../../report/model/report.ts';
import type { Ending } from '../answer/ending.ts';
import type { CommandContext } from '../line/context.ts';
import type { OutputOptions } from '../line/options.ts';
import { interrupted } from '../process/interrupt.ts';
import { Collected } from './collected.ts';
import { makeReport } from './makeReport.ts';
import { openBrowser } from './openBrowser.ts';
import { servePage } from './servePage.ts';

/** Runs a command, and shows its report in the browser until somebody interrupts. Its address is told in any case. */
export async function openReport<O extends OutputOptions>(
  command: ReportedCommand,
  context: CommandContext<O>,
  run: (context: CommandContext<O>) => Promise<Ending>,
): Promise<Ending> {
  const { answer, terminal, environment, reports, onProject } = context;
  const collected = new Collected(answer, true);
  const ending = await run({
    ...context,
    answer: collected,
    reports: {
      async prove(planned) {
        await collected.prove(planned);
        await reports?.prove(planned);
      },
    },
    onProject(names) {
      collected.name(names);
      onProject?.(names);
    },
  });
  const page = await servePage(renderHtml(makeReport(command, collected, ending)));
  const ended = interrupted();
  try {
    terminal.message(`Report: ${page.url}`);
    const why = await openBrowser(page.url, environment);
    terminal.message(
      `${why === undefined ? 'It is open in the browser.' : `No browser was opened: ${why}.`} Press Ctrl-C to stop serving it.`,
    );
    await ended;
  } finally {
    await page.close();
  }
  return ending;
}

import type { Surroundings } from '../../project/session/session.ts';
import type { ReportedCommand } from '../../report/model/report.ts';
import { renderHtml } from '../../report/renderHtml.ts';
import type { Ending } from '../../terminal/answer/ending.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { OutputOptions } from '../../terminal/line/options.ts';
import { interrupted } from '../../terminal/process/interrupt.ts';
import { Collected } from './collected.ts';
import { makeReport } from './makeReport.ts';
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

/** Opens an address in the user's browser. Returns why not, where it did not: then somebody has to do it by hand. */
export async function openBrowser(
  url: string,
  environment: Surroundings['environment'],
  platform: NodeJS.Platform = process.platform,
): Promise<string | undefined> {
  const why = whyNot(environment, platform);
  if (why !== undefined) return why;
  const { default: open } = await import('open');
  try {
    await open(url);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What there is without a screen would take the terminal, or be seen by nobody. */
function whyNot(environment: Surroundings['environment'], platform: NodeJS.Platform): string | undefined {
  const has = (name: string): boolean => (environment[name] ?? '') !== '';
  if (has('CI')) return 'this is a pipeline (CI is set)';
  if (has('SSH_CONNECTION') || has('SSH_TTY')) return 'this is a session on another machine (SSH)';
  const isX = platform === 'linux' || platform.endsWith('bsd');
  if (isX && !['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME'].some(has)) return 'there is no screen';
  return undefined;
}

import { ToolError } from '../../base/toolError.ts';
import { githubAnnotations } from '../../report/githubAnnotations.ts';
import type { Report } from '../../report/model/report.ts';
import { cutShort } from '../../terminal/answer/cutShort.ts';
import type { Ending } from '../../terminal/answer/ending.ts';
import { renderError } from '../../terminal/answer/errorText.ts';
import type { CommandContext } from '../../terminal/line/context.ts';
import type { OutputOptions } from '../../terminal/line/options.ts';
import { version } from '../../terminal/process/version.ts';
import type { ReportWish } from '../line/reportOption.ts';
import { annotates } from './annotates.ts';
import { Collected } from './collected.ts';
import { makeReport } from './makeReport.ts';
import { type Outlet, openOutlets, writeReport } from './outlet.ts';

/**
 * Runs a command and writes its reports, whatever becomes of it, also where a signal ends the process. A report that
 * cannot be written in the end is told, and only a success becomes a failure by it: every other exit code stays.
 */
export async function reported<O extends OutputOptions & { readonly out?: string }>(
  { command, targets }: ReportWish,
  context: CommandContext<O>,
  run: (context: CommandContext<O>) => Promise<Ending>,
): Promise<Ending> {
  const { cwd, options } = context;
  const outlets = await openOutlets(targets, { cwd, taken: options.out });
  const { collected, heard } = await Collected.listen(
    context,
    outlets.some(({ form }) => form.proofs),
  );
  const write = (ended: unknown): readonly string[] => {
    const report = makeReport(command, collected, ended, context.environment);
    // On standard error, which GitHub reads too: standard output may hold a document.
    if (annotates(context)) for (const line of githubAnnotations(report)) context.terminal.draw(`${line}\n`);
    return writeAll(outlets, report, context);
  };
  const onExit = (code: number): void => void write(cutShort(code));
  process.once('exit', onExit);
  const ran = await run(heard).then(
    (ending) => ({ ending }),
    (error: unknown) => ({ error }),
  );
  process.off('exit', onExit);
  if ('error' in ran) {
    write(ran.error);
    throw ran.error;
  }
  const lost = write(ran.ending);
  return lost.length === 0 || typeof ran.ending !== 'number' ? ran.ending : unwritten(lost);
}

/** Those that could not be written, each of which is told. */
function writeAll(
  outlets: readonly Outlet[],
  report: Report,
  { terminal }: Pick<CommandContext, 'terminal'>,
): readonly string[] {
  return outlets.flatMap((outlet) => {
    try {
      writeReport(outlet, outlet.render(report));
      return [];
    } catch (error) {
      terminal.message(renderError(error, { gantry: version, node: process.version }, terminal.messagePalette));
      return [outlet.file];
    }
  });
}

function unwritten(files: readonly string[]): ToolError {
  return new ToolError({
    code: 'report.unwritten',
    message: `the command succeeded, but not every report could be written: ${files.join(', ')}`,
    hint: 'What the command did stands; for a plan that was saved, gantry show FILE --report writes them again.',
  });
}

import { Command } from 'commander';
import type { Launch } from '../terminal/context.ts';
import { completePage, helpPage, helpWidthOf } from '../terminal/helpPage.ts';
import type { OutputOptions } from '../terminal/options.ts';
import { version } from '../terminal/version.ts';
import { annotates } from './output/annotates.ts';
import type { ReportOptions } from './output/reportOption.ts';

/** Adds a command; its code is loaded when it is launched. */
export type Declaration = (program: Command, launch: Launch) => void;

/** The command line with these commands. */
export function programOf(declarations: Iterable<Declaration>, launch: Launch): Command {
  const program = new Command('gantry')
    .description('Plan and apply infrastructure on a workload platform.')
    .version(`gantry ${version}`, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .configureHelp(helpPage)
    .exitOverride()
    .configureOutput({
      outputError: () => {}, // reported with all other errors, in the same form
      getOutHelpWidth: () => helpWidthOf(process.stdout.columns),
      getErrHelpWidth: () => helpWidthOf(process.stderr.columns),
    });
  completePage(program, undefined, [
    ['gantry plan examples/shop --embedded', 'what would happen'],
    ['gantry apply examples/shop --embedded --yes', 'carry it out'],
    ['gantry serve --port 4480', 'run the platform'],
  ]);
  for (const declare of declarations) declare(program, reporting(launch));
  return program;
}

/** The same launch, with reports if requested, and annotations in a workflow of GitHub. */
function reporting(launch: Launch): Launch {
  return (options, run) =>
    launch(options, async (context) => {
      const { report } = withReport(options);
      if (report === undefined || !(report.targets.length > 0 || annotates(context))) return run(context);
      const { runReported } = await import('./output/reported.ts');
      return runReported(report, context, run);
    });
}

function withReport(options: OutputOptions & ReportOptions): ReportOptions {
  return options;
}

import { Command } from 'commander';
import { completePage, helpPage, helpWidthOf } from '../terminal/line/helpPage.ts';
import type { Launch } from '../terminal/line/launch.ts';
import { version } from '../terminal/process/version.ts';
import { reporting } from './reports/reporting.ts';

/** Adds a command; what it runs is loaded when it is launched. */
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
      outputError: () => {}, // told with all other errors, in the same form
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

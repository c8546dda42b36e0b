import type { Command } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import type { Launch } from '../../../terminal/line/launch.ts';
import { addCommand } from '../../../terminal/line/sharedOptions.ts';
import type { InitOptions } from './run.ts';
import { templates } from './templates.ts';

export function declareInit(program: Command, launch: Launch): void {
  const list = Object.entries(templates).map(([name, shows]) => `${name}: ${shows}`);
  const command = addCommand(program, 'init', [])
    .argument('[template]', list.join('; '), 'service')
    .description('make a new project: a stack with its test, settings, and package.json')
    .option('--dir <dir>', 'folder of the project; it is made if it does not exist (default: the current folder)')
    .option('--name <name>', 'name of the stack (default: the name of the folder)')
    .action((template: string, _: unknown, parsed: Command) =>
      launch(parsed.opts<InitOptions>(), async (context) => (await import('./run.ts')).runInit(context, template)),
    );
  completePage(command, 'project', [
    ['gantry init', 'a web service, in the current folder'],
    ['gantry init stateful --dir orders', 'a database, in a new folder'],
  ]);
}

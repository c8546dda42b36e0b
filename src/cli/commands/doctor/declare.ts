import type { Command } from 'commander';
import { completePage } from '../../../terminal/line/helpPage.ts';
import { type Launch, paths } from '../../../terminal/line/launch.ts';
import { addAskOptions } from '../../../terminal/line/optionGroups.ts';
import { addCommand } from '../../../terminal/line/sharedOptions.ts';
import type { DoctorOptions } from './run.ts';

export const doctorShared = [
  'org',
  'endpoint',
  'token',
  'token-file',
  'profile',
  'insecure',
  'env',
  'embedded',
  'data',
  'dialect',
] as const;

export function declareDoctor(program: Command, launch: Launch): void {
  const command = addCommand(program, 'doctor', doctorShared)
    .argument(paths, 'the folder with the settings (default: .)')
    .description('check whether a platform does what Gantry assumes; writes nothing without --write')
    .option('--write', 'also ask what writes do, in a GVC that is made for it and deleted again', false)
    .option('--out <file>', 'write what was found to this file, for later runs (gantry.platform.json)')
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<DoctorOptions>(), async (context) => (await import('./run.ts')).runDoctor(context, given)),
    );
  addAskOptions(command);
  completePage(command, 'doctor', [
    ['gantry doctor', 'read-only; exit code: 0 usable, 3 something needed is missing'],
    ['gantry doctor --write --yes --out gantry.platform.json', 'everything, kept for later runs'],
  ]);
}

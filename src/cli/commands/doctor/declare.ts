import type { Command } from 'commander';
import { completePage } from '../../line/helpPage.ts';
import { type Launch, paths } from '../../line/launch.ts';
import { addCommand } from '../../line/sharedOptions.ts';
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
    .description('ask a platform what it does of what Gantry assumes; nothing is written to it')
    .option('--out <file>', 'write what was found to this file, for later runs (gantry.platform.json)')
    .action((given: string[], _: unknown, parsed: Command) =>
      launch(parsed.opts<DoctorOptions>(), async (context) => (await import('./run.ts')).runDoctor(context, given)),
    );
  completePage(command, 'doctor', [
    ['gantry doctor', 'read-only; exit code: 0 usable, 3 something needed is missing'],
    ['gantry doctor --out gantry.platform.json', 'kept for later runs of the project'],
  ]);
}

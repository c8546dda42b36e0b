import { CommanderError } from 'commander';
import type { Launch } from '../terminal/line/launch.ts';
import type { Noun } from '../terminal/line/nouns.ts';
import { makeClientProgram } from './clientProgram.ts';
import { rowsOf } from './table/rows.ts';
import { readLine } from './writtenLine.ts';

/** Finds a command on single resources and launches it. Errors: `cli.usage`, and those of the launch. */
export async function parseClientLine([noun, ...args]: readonly [Noun, ...string[]], launch: Launch): Promise<void> {
  const help: string[] = [];
  const rows = await rowsOf(noun);
  const written = readLine(args, rows);
  const program = makeClientProgram({ noun, rows, launch, writeHelp: (text) => help.push(text) });
  try {
    await program.parseAsync([noun, ...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw (await import('./wrongLine.ts')).wrongLine(error, { noun, rows, ...written });
    const { openTerminal } = await import('../terminal/terminal.ts');
    await openTerminal({ pager: !args.includes('--no-pager') }).page(help.join('').trimEnd());
  }
}

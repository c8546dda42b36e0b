import type { Command } from 'commander';
import type { ReportedCommand } from '../../report/report.ts';

/** The command, and the destinations of its reports. */
export interface ReportWish {
  readonly command: ReportedCommand;
  /** `FILE` or `FORMAT:FILE`, as given. */
  readonly targets: readonly string[];
}

/** For commands that can write reports into files. */
export interface ReportOptions {
  readonly report?: ReportWish;
}

export function addReportOption(command: Command, name: ReportedCommand): Command {
  return command.option(
    '--report <file>',
    'also write a report; its format follows from the file extension (.html .md .xml .sarif .json) or from FORMAT:FILE ' +
      '(repeatable)',
    (target: string, { targets }: ReportWish): ReportWish => ({ command: name, targets: [...targets, target] }),
    { command: name, targets: [] },
  );
}

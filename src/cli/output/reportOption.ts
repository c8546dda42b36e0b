import type { Command } from 'commander';
import type { ReportedCommand } from '../../report/model/report.ts';

/** Which command it is, and where its reports go. */
export interface ReportWish {
  readonly command: ReportedCommand;
  /** `FILE` or `FORMAT:FILE`, as they were given. */
  readonly targets: readonly string[];
}

/** Of commands that can write what they came to into files. */
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

import type { Command } from 'commander';
import type { ReportedCommand } from '../../report/model/report.ts';

/** Which command it is, and where its reports go. */
export interface ReportWish {
  readonly command: ReportedCommand;
  /** `FILE` or `FORM:FILE`, as they were given. */
  readonly targets: readonly string[];
}

/** Of commands that can write what they came to into files. */
export interface ReportOptions {
  readonly report?: ReportWish;
}

export function addReportOption(command: Command, name: ReportedCommand): Command {
  return command.option(
    '--report <file>',
    'also write a report, in the form of its name (.html .md .xml .sarif .json) or FORM:FILE; repeatable',
    (target: string, { targets }: ReportWish): ReportWish => ({ command: name, targets: [...targets, target] }),
    { command: name, targets: [] },
  );
}

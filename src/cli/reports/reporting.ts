import type { Launch } from '../../terminal/line/launch.ts';
import type { OutputOptions } from '../../terminal/line/options.ts';
import type { ReportOptions } from '../line/reportOption.ts';
import { annotates } from './annotates.ts';

/** The same launch, with reports where they are wanted, and annotations in a workflow of GitHub. */
export function reporting(launch: Launch): Launch {
  return (options, run) =>
    launch(options, async (context) => {
      const { report } = withReport(options);
      if (report === undefined || !(report.targets.length > 0 || annotates(context))) return run(context);
      const { reported } = await import('./reported.ts');
      return reported(report, context, run);
    });
}

function withReport(options: OutputOptions & ReportOptions): ReportOptions {
  return options;
}

import type { Outcome } from '../../report/model/outcome.ts';
import type { Report } from '../../report/model/report.ts';
import type { ExitCode } from '../process/exitCode.ts';
import { failureOf } from '../process/failure.ts';

/** What a command came to that ended with this code. */
export function outcomeOf(report: Pick<Report, 'plans' | 'drift' | 'explanation' | 'error'>, code: ExitCode): Outcome {
  const failure = failureOf(code);
  if (failure === undefined) return succeeded(report);
  return failure === 'failed' || failure === 'unreachable' ? failed(report.error?.code) : failure;
}

function succeeded({ plans, drift, explanation }: Pick<Report, 'plans' | 'drift' | 'explanation'>): Outcome {
  if (drift !== undefined) return drift.drifted ? 'drift' : 'no-drift';
  if (explanation !== undefined) return 'explained';
  const outcomes = plans.map(({ outcome }) => outcome);
  if (outcomes.length === 0) return 'valid';
  return outcomes.find((outcome) => outcome !== 'no-changes') ?? 'no-changes';
}

function failed(code: string | undefined): Outcome {
  if (code === 'input.invalid') return 'invalid';
  return code === 'apply.not-ready' ? 'not-ready' : 'failed';
}

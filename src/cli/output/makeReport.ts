import { isObject } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import { explanationDocumentForm } from '../../change/documents/explanationDocument.ts';
import { problemForm, validationForm } from '../../change/documents/validationDocument.ts';
import { commitOf, jobAddress } from '../../integrations/jobAddress.ts';
import type { ProjectNames } from '../../project/session/event.ts';
import type { Environment } from '../../project/session/session.ts';
import {
  type Outcome,
  type Report,
  type ReportedCommand,
  type ReportedError,
  reportedDrifts,
  reportedPlans,
  type Subject,
} from '../../report/report.ts';
import { exitCodeOfEnding } from '../../terminal/ending.ts';
import { errorToJson, ownMistake } from '../../terminal/errorDocument.ts';
import { type ExitCode, exitCode } from '../../terminal/exitCode.ts';
import { failureOf } from '../../terminal/failure.ts';
import { problemToJson } from '../../terminal/problemJson.ts';
import { version } from '../../terminal/version.ts';
import type { Collected } from './collected.ts';

type ReportContents = Pick<Report, 'plans' | 'drifts' | 'explanation'>;

/** The report of a command. `result`: the value that it returned or threw. */
export function makeReport(
  command: ReportedCommand,
  collected: Collected,
  result: unknown,
  environment: Environment,
): Report {
  const { document, names, stacks, problems, proofs } = collected.contents;
  const code = exitCodeOfEnding(result);
  const error = code === exitCode.ok || code === exitCode.changes ? undefined : reportedError(result);
  const failed = error === undefined ? undefined : errorToJson(result, code);
  const found = {
    plans: reportedPlans(document, proofs),
    drifts: reportedDrifts(document),
    ...(explanationDocumentForm.is(document) ? { explanation: document } : {}),
    problems: validationForm.is(document) ? document.problems : problems.map(problemToJson).filter(problemForm.is),
    ...present({ error }),
  };
  return {
    tool: { name: 'gantry', version },
    command,
    subject: subjectOf(names, stacks, found),
    made: { at: new Date().toISOString(), commit: commitOf(environment), run: jobAddress(environment) },
    outcome: outcomeOf(found, code),
    exitCode: code,
    ...found,
    document: failed === undefined ? document : { ...(isObject(document) ? document : {}), error: failed },
  };
}

/** Settings may lack the org, which the documents have; the code names also the stacks that are not planned yet. */
function subjectOf(
  names: ProjectNames,
  owners: readonly string[],
  { plans, drifts, explanation }: ReportContents,
): Subject {
  const named = [...plans.map((plan) => plan.document), ...drifts, explanation].filter((each) => each !== undefined);
  const planned = named.map(({ stack }) => stack);
  const [only, ...others] = owners.length > 0 ? owners : planned;
  const { stack: _, ...rest } = names;
  return {
    ...(only === undefined ? names : rest),
    ...present({ org: named[0]?.org }),
    ...(only === undefined ? {} : others.length === 0 ? { stack: only } : { stacks: [only, ...others] }),
  };
}

function reportedError(error: unknown): ReportedError {
  return error instanceof ToolError ? error : { ...ownMistake(error), causes: [] };
}

export function outcomeOf(report: Pick<Report, 'plans' | 'drifts' | 'explanation' | 'error'>, code: ExitCode): Outcome {
  const failure = failureOf(code);
  if (failure === undefined) return succeeded(report);
  return failure === 'failed' || failure === 'unreachable' ? failed(report.error?.code) : failure;
}

function succeeded({ plans, drifts, explanation }: Pick<Report, 'plans' | 'drifts' | 'explanation'>): Outcome {
  if (drifts.length > 0) return drifts.some(({ drifted }) => drifted) ? 'drift' : 'no-drift';
  if (explanation !== undefined) return 'explained';
  const outcomes = plans.map(({ outcome }) => outcome);
  if (outcomes.length === 0) return 'valid';
  return outcomes.find((outcome) => outcome !== 'no-changes') ?? 'no-changes';
}

function failed(code: string | undefined): Outcome {
  if (code === 'input.invalid') return 'invalid';
  return code === 'apply.not-ready' ? 'not-ready' : 'failed';
}

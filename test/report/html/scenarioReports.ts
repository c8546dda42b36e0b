import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesById } from '../../e2e/harness/gantry.ts';
import { inProcess } from '../../e2e/harness/inProcess.ts';
import { openPlatform } from '../../e2e/harness/platform.ts';
import type { Scenario } from '../../e2e/harness/scenario.ts';

export interface ScenarioReport {
  readonly step: string;
  readonly file: string;
  /** The number of its changes that are not `keep`. */
  readonly changes: number;
}

/** The reports of a scenario, written by the apply, the destroy or the refused plan of each step. */
export async function scenarioReports(scenario: Scenario, folder: string): Promise<readonly ScenarioReport[]> {
  const platform = await openPlatform(scenario.serve);
  const reports: ScenarioReport[] = [];
  try {
    writeFileSync(join(folder, 'gantry.yaml'), `stack: scenario-${scenario.number}\n`);
    for (const [index, step] of scenario.steps.entries()) {
      await step.before?.(platform);
      const flags = step.flags ?? [];
      const file = `report-${index}.html`;
      if (step.manifests !== undefined) writeFileSync(join(folder, 'stack.yaml'), step.manifests);
      await inProcess(platform, [...verbOf(step), ...flags, '--report', file, '--report', 'plan.json'], {
        cwd: folder,
      });
      const changes = [...changesById(readFileSync(join(folder, 'plan.json'), 'utf8')).values()];
      const moving = changes.filter((change) => change['action'] !== 'keep').length;
      reports.push({ step: step.it, file: join(folder, file), changes: moving });
    }
  } finally {
    await platform.stop();
  }
  return reports;
}

function verbOf(step: Scenario['steps'][number]): readonly string[] {
  if (step.manifests === undefined) return ['destroy', '--yes'];
  return 'codes' in step ? ['plan', '.'] : ['apply', '.', '--yes'];
}

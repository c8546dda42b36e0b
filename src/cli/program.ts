import type { Command } from 'commander';
import type { Launch } from '../terminal/line/launch.ts';
import { declareAdd } from './commands/add/declare.ts';
import { declareAdopt } from './commands/adopt/declare.ts';
import { declareApply } from './commands/apply/declare.ts';
import { declareApprove } from './commands/approve/declare.ts';
import { declareCi } from './commands/ci/declare.ts';
import { declareConvert } from './commands/convert/declare.ts';
import { declareDestroy } from './commands/destroy/declare.ts';
import { declareDev } from './commands/dev/declare.ts';
import { declareDoctor } from './commands/doctor/declare.ts';
import { declareDrift } from './commands/drift/declare.ts';
import { declareExplain } from './commands/explain/declare.ts';
import { declareGraph } from './commands/graph/declare.ts';
import { declareHelp } from './commands/help/declare.ts';
import { declareInit } from './commands/init/declare.ts';
import { declareOutput } from './commands/output/declare.ts';
import { declarePlan } from './commands/plan/declare.ts';
import { declarePolicy } from './commands/policy/declare.ts';
import { declarePromote } from './commands/promote/declare.ts';
import { declareReconcile } from './commands/reconcile/declare.ts';
import { declareRules } from './commands/rules/declare.ts';
import { declareSchema } from './commands/schema/declare.ts';
import { declareServe } from './commands/serve/declare.ts';
import { declareShow } from './commands/show/declare.ts';
import { declareStatus } from './commands/status/declare.ts';
import { declareSynth } from './commands/synth/declare.ts';
import { declareTerraform } from './commands/terraform/declare.ts';
import { declareUndo } from './commands/undo/declare.ts';
import { declareValidate } from './commands/validate/declare.ts';
import { type Declaration, programOf } from './programOf.ts';

/** By name, in the order of `gantry help`. */
const declarations = new Map<string, Declaration>([
  ['init', declareInit],
  ['add', declareAdd],
  ['convert', declareConvert],
  ['validate', declareValidate],
  ['synth', declareSynth],
  ['graph', declareGraph],
  ['plan', declarePlan],
  ['show', declareShow],
  ['approve', declareApprove],
  ['apply', declareApply],
  ['destroy', declareDestroy],
  ['dev', declareDev],
  ['explain', declareExplain],
  ['drift', declareDrift],
  ['status', declareStatus],
  ['output', declareOutput],
  ['adopt', declareAdopt],
  ['undo', declareUndo],
  ['promote', declarePromote],
  ['reconcile', declareReconcile],
  ['doctor', declareDoctor],
  ['ci', declareCi],
  ['serve', declareServe],
  ['terraform', declareTerraform],
  ['policy', declarePolicy],
  ['rules', declareRules],
  ['schema', declareSchema],
  ['help', declareHelp],
]);

/**
 * The command line. Each command's code is loaded when it runs, so that `--help` loads commander and nothing else. To run
 * the command `only`, the others need not be declared; `help` is about all of them.
 */
export function makeProgram(launch: Launch, only?: string): Command {
  const declared = only === undefined || only === 'help' ? undefined : declarations.get(only);
  return programOf(declared === undefined ? declarations.values() : [declared], launch);
}

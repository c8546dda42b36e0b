import type { Command } from 'commander';
import type { Launch } from '../terminal/context.ts';
import { declareCi } from './declared/ci.ts';
import {
  declareAdopt,
  declareDoctor,
  declareDrift,
  declareExplain,
  declareOutput,
  declareStatus,
} from './declared/live.ts';
import {
  declareAdd,
  declareConvert,
  declareGraph,
  declareHelp,
  declareInit,
  declarePolicy,
  declareRules,
  declareSchema,
  declareServe,
  declareSynth,
  declareValidate,
} from './declared/local.ts';
import { declareApply, declarePlan } from './declared/planAndApply.ts';
import {
  declareApprove,
  declareDestroy,
  declareDev,
  declarePromote,
  declareShow,
  declareUndo,
} from './declared/plans.ts';
import { declareReconcile } from './declared/reconcile.ts';
import { declareTerraform } from './declared/terraform.ts';
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
 * The command line. The code of a command is loaded when it runs, so `--help` loads only commander. To run the command
 * `only`, the others need not be declared; `help` needs all of them.
 */
export function makeProgram(launch: Launch, only?: string): Command {
  const declared = only === undefined || only === 'help' ? undefined : declarations.get(only);
  return programOf(declared === undefined ? declarations.values() : [declared], launch);
}

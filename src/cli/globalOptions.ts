import { type Command, Option } from 'commander';
import { risks } from '../schema/risk.ts';
import { collect, parseCount } from './optionValues.ts';

/** Options of every command; they may stand before and after its name. */
export function addGlobalOptions(program: Command): void {
  program
    .option('--org <name>', 'the org')
    .option('--gvc <name>', 'the GVC of manifests that name none')
    .option('--endpoint <url>', 'address of the platform; several of one platform by commas')
    .option('--token <token>', 'its token')
    .option('--stack <name>', 'name of the stack')
    .option('--embedded', 'use the platform on this machine, started for this command', false)
    .option('--data <dir>', 'where the platform on this machine keeps its data (default: .gantry)')
    .option('--dialect <file>', "the platform's own words on the wire")
    .addOption(
      new Option('-o, --output <format>', 'form of the result').choices(['text', 'json', 'yaml']).default('text'),
    )
    .option('--color', 'colours, also when not on a terminal')
    .option('--no-color', 'no colours')
    .option('--yes', 'do not ask', false)
    .option('--no-input', 'never ask; without --yes change nothing')
    .option('--wait', 'wait until the workloads are ready, unchanged ones too', false);
}

/** How a plan is shown to people. */
export function addPlanTextOptions(command: Command): void {
  command
    .option('--patch', 'show the bodies of PATCH requests', false)
    .addOption(new Option('--compact', 'one line for each change').default(false).conflicts(['full', 'patch']))
    .option('--full', 'show every change by itself, and long values whole', false);
}

/** What permits that which a plan refuses by default. */
export function addPermitOptions(command: Command, maxDeletes: number | undefined): void {
  command
    .option('--adopt', 'take over live resources that have no owner', false)
    .option('--prune', 'with loose manifests, delete what they do not declare too', false)
    .option('--allow-collateral <n>', 'let exactly n resources of others go along', parseCount, 0)
    .option('--allow-data-loss <n>', 'let exactly n volume sets with data go', parseCount, 0)
    .option('--allow-unseen', 'delete and change GVCs whose content this token may not view all of', false)
    .option('--max-deletes <n>', 'delete at most n resources', parseCount, maxDeletes)
    .option('--allow-empty', 'let an empty stack delete everything', false)
    .option('--revert-operational', 'undo what operators switched (suspend, debug)', false)
    .option('--write-unknown-secrets', 'write secrets whose live values cannot be read', false)
    .addOption(
      new Option('--max-risk <risk>', 'refuse a plan that can do worse; from harmless to worst').choices(risks),
    )
    .option('--max-changes <n>', 'change at most n resources', parseCount)
    .option('--target <id>', 'only this resource and what must come along (repeatable)', collect, [])
    .option('--exclude <id>', 'leave this resource alone (repeatable)', collect, []);
}

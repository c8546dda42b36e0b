import { type Command, Option } from 'commander';
import { risks } from '../../schema/facts/risk.ts';
import { collect, parseCount } from './optionValues.ts';

const permits = 'What the plan may do:';

/** Permits and limits of a plan that only deletes: those of every plan. */
export function addDeletionPermits(command: Command, maxDeletes: number | undefined): void {
  command
    .optionsGroup(permits)
    .option('--allow-collateral <n>', 'let exactly n resources of others go along', parseCount, 0)
    .option('--allow-data-loss <n>', 'let exactly n volume sets with data go', parseCount, 0)
    .option(
      '--allow-lost-values <n>',
      'let exactly n resources be re-created without values that cannot be read',
      parseCount,
      0,
    )
    .option('--allow-unseen', 'delete and change GVCs although this token cannot see all that is in them', false)
    .option('--max-deletes <n>', 'delete at most n resources', parseCount, maxDeletes)
    .addOption(
      new Option('--max-risk <risk>', 'refuse a plan that can do worse; from harmless to worst').choices(risks),
    )
    .option('--max-changes <n>', 'change at most n resources', parseCount)
    .option('--target <id>', 'only this resource and what must come along (repeatable)', collect, [])
    .option('--exclude <id>', 'leave this resource alone (repeatable)', collect, []);
}

/** What permits that which a plan refuses by default. */
export function addPermits(command: Command): void {
  command
    .optionsGroup(permits)
    .option('--adopt', 'take over live resources that have no owner', false)
    .option('--prune', 'with loose manifests, delete what they do not declare too', false)
    .option('--allow-empty', 'let an empty stack delete everything', false)
    .option('--revert-operational', 'undo what operators switched (suspend, debug)', false)
    .option('--write-unknown-secrets', 'write secrets whose live values cannot be read', false);
  addDeletionPermits(command, 10);
}

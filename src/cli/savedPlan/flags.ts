import type { ApplyCommandOptions } from '../line/options.ts';
import { UsageError } from '../line/usageError.ts';

/** The limit of deletions that holds where none is given. */
const usualDeletes = 10;

/** A saved plan runs as it is: flags that would change it are refused. Errors: `cli.usage`. */
export function refusePlanFlags(options: ApplyCommandOptions): void {
  const given: readonly (readonly [string, boolean])[] = [
    ['--gvc', options.gvc !== undefined],
    ['--wait', options.wait],
    ['--adopt', options.adopt],
    ['--prune', options.prune],
    ['--allow-collateral', options.allowCollateral !== 0],
    ['--allow-data-loss', options.allowDataLoss !== 0],
    ['--allow-lost-values', options.allowLostValues !== 0],
    ['--allow-unseen', options.allowUnseen],
    ['--max-deletes', options.maxDeletes !== usualDeletes],
    ['--allow-empty', options.allowEmpty],
    ['--revert-operational', options.revertOperational],
    ['--write-unknown-secrets', options.writeUnknownSecrets],
    ['--max-risk', options.maxRisk !== undefined],
    ['--max-changes', options.maxChanges !== undefined],
    ['--target', options.target.length > 0],
    ['--exclude', options.exclude.length > 0],
  ];
  const flags = given.filter(([, is]) => is).map(([name]) => name);
  if (flags.length === 0) return;
  throw new UsageError(
    `${flags.join(', ')} would change the plan, and a plan that was kept runs as it was approved`,
    'Give these flags to gantry plan --out.',
  );
}
